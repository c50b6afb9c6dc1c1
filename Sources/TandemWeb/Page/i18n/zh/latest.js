export const latest = {
    'latest.notices': '最新通知',
    'latest.allNotices': '全部通知',
    'latest.computer': '这台电脑',
    'latest.foundAnywhere': '手机在本网络和外面都能找到它',
    'latest.foundHere': '手机只能在本网络找到它',
    'latest.foundByHub': '手机只能通过中继找到它',
    'latest.foundNowhere': '现在没有手机能找到它',
};
