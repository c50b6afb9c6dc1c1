export const pictures = {
    'pictures.of': '第 {number} 张图片，共 {count} 张',
    'pictures.failed': '图片无法加载',
    'pictures.title': '图片',
    'pictures.before': '上一张图片',
    'pictures.after': '下一张图片',
    'pictures.save': '保存图片',
    'pictures.zoomIn': '放大',
    'pictures.zoomOut': '缩小',
    'pictures.zoomHint': '图片：加号和减号缩放，箭头移动',
};
