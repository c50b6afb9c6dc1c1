export const pictures = {
    'pictures.of': 'Picture {number} of {count}',
    'pictures.failed': 'The picture could not be loaded',
    'pictures.title': 'Pictures',
    'pictures.before': 'Picture before',
    'pictures.after': 'Next picture',
    'pictures.save': 'Save picture',
    'pictures.zoomIn': 'Zoom in',
    'pictures.zoomOut': 'Zoom out',
    'pictures.zoomHint': 'Picture: plus and minus zoom, arrows move',
};
