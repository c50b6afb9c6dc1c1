export const overview = {
    'overview.asks': '等待你处理',
    'overview.here': ({ count, all }) => `${all} 部手机中 ${count} 部在线`,
    'overview.nobodyHere': '没有手机在线',
    'overview.allPhones': ({ count }) => `全部 ${count} 部手机`,
    'overview.running': '手机正在使用',
    'overview.allRunning': ({ count }) => `全部 ${count} 项`,
    'overview.hubAway': '无法连接到中继，其他地方的手机找不到这台电脑。',
    'overview.serverAway': '本机的服务器没有运行，同一网络中的手机找不到这台电脑。',
    'overview.look': '查看',
};
