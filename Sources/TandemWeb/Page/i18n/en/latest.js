export const latest = {
    'latest.notices': 'Latest notifications',
    'latest.allNotices': 'All notifications',
    'latest.computer': 'This computer',
    'latest.foundAnywhere': 'Phones find it on this network and from elsewhere',
    'latest.foundHere': 'Phones find it on this network only',
    'latest.foundByHub': 'Phones find it by the hub only',
    'latest.foundNowhere': 'No phone finds it now',
};
