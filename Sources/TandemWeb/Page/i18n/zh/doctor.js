export const doctor = {
    'doctor.ownServer': '本机服务器',
    'doctor.ownServerFor': '供同一网络中的手机使用',
    'doctor.hub': '中继',
    'doctor.hubFor': '供其他地方的手机使用',
    'doctor.registered': '已连接',
    'doctor.notReached': '未连接',
    'doctor.noReason': '原因未知，日志中可能有更多信息。',
    'doctor.address': '地址',
};
