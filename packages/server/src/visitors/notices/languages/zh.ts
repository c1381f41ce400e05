import type { NoticeTexts } from './en.ts'

/** Chinese. */
export const zh: NoticeTexts = {
  notFound: {
    title: '此链接不存在',
    says: ['链接可能输入有误或不完整，请检查地址。', '短链接区分大小写：/Menu 和 /menu 是两个不同的链接。'],
  },
  notYet: { title: '此链接尚未生效', says: ['链接所有者设定了稍后开始的时间，请届时再试。'] },
  ended: {
    title: '此链接已失效',
    says: ['它已过期、达到点击上限，或已被所有者删除。', '请向发送者索取新的链接。'],
  },
  blocked: {
    title: '此链接已被屏蔽',
    says: [
      '该链接被举报为有害或违反规则，本服务的运营者已将其屏蔽。',
      '如果您认为这是误判，请联系 {contact}。',
    ],
  },
  unavailable: { title: '请稍候', says: ['目前无法打开此链接，请几秒钟后再试。'] },
  wrongMethod: { title: '此链接只能打开', says: ['无法向此地址发送任何内容。'] },
  password: { title: '此链接需要密码', says: ['链接所有者设置了保护，请输入密码以继续。'] },
  passwordLabel: '密码',
  passwordWrong: '密码错误，请重试。',
  wait: { title: '请等待', says: ['来自您网络的尝试次数过多，请稍等片刻再试。'] },
  limited: { title: '此链接有点击上限', says: ['此链接只能使用有限的次数，因此不会为预览而打开。'] },
  preview: { title: '链接预览', says: ['此短链接跳转到：'] },
  previewProtected: '链接所有者设置了保护，输入密码后才会显示目标地址。',
  destination: '目标地址',
  iosDestination: '在 iPhone 和 iPad 上',
  androidDestination: '在 Android 上',
  next: '继续',
  reportLabel: '此链接有问题吗？',
  reportHint: '有什么问题？',
  report: '举报此链接',
  reported: { title: '已举报链接', says: ['您的举报已发送给本服务的运营者，谢谢。'] },
  root: '{domain} 提供短链接和页面，请打开您收到的完整地址。',
}
