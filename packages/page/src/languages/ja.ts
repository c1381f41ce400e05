import type { VisitorTexts } from './en.ts'

/** Japanese. */
export const ja: VisitorTexts = {
  notFound: {
    title: 'このリンクは存在しません',
    says: [
      '入力の誤りか、アドレスの一部が欠けている可能性があります。アドレスをご確認ください。',
      '大文字と小文字は区別されます。/Menu と /menu は別のリンクです。',
    ],
  },
  notYet: {
    title: 'このリンクはまだ有効ではありません',
    says: ['所有者が後日開始するように設定しています。しばらくしてからもう一度お試しください。'],
  },
  ended: {
    title: 'このリンクは終了しました',
    says: [
      '有効期限が切れたか、クリック数の上限に達したか、所有者によって削除されました。',
      '送信した方に新しいリンクをお問い合わせください。',
    ],
  },
  blocked: {
    title: 'このリンクはブロックされています',
    says: [
      '有害であると報告されたか規則に違反しているため、このサービスの運営者がブロックしました。',
      '誤りだと思われる場合は、{contact} までご連絡ください。',
    ],
  },
  unavailable: {
    title: '少々お待ちください',
    says: ['現在このリンクを開けません。数秒後にもう一度お試しください。'],
  },
  wrongMethod: {
    title: 'このリンクは開くことしかできません',
    says: ['このアドレスには何も送信できません。'],
  },
  password: {
    title: 'このリンクにはパスワードが必要です',
    says: ['このリンクは保護されています。続けるにはパスワードを入力してください。'],
  },
  passwordLabel: 'パスワード',
  passwordWrong: 'パスワードが違います。もう一度お試しください。',
  wait: {
    title: 'お待ちください',
    says: ['お使いのネットワークからの試行回数が多すぎます。しばらく待ってからもう一度お試しください。'],
  },
  limited: {
    title: 'このリンクにはクリック数の上限があります',
    says: ['利用できる回数が限られているため、プレビューのためには開かれません。'],
  },
  preview: { title: 'リンクのプレビュー', says: ['この短縮リンクの転送先：'] },
  previewProtected: 'このリンクは保護されています。転送先はパスワードの入力後に表示されます。',
  destination: '転送先',
  iosDestination: 'iPhone と iPad',
  androidDestination: 'Android',
  next: '続ける',
  reportLabel: 'このリンクに問題がありますか？',
  reportHint: 'どのような問題ですか？',
  report: 'このリンクを報告',
  reported: {
    title: 'リンクを報告しました',
    says: ['報告はこのサービスの運営者に送信されました。ありがとうございます。'],
  },
  root: '{domain} は短縮リンクとページを提供しています。受け取ったアドレス全体を開いてください。',
  page: {
    links: 'リンク',
    networks: 'ソーシャルネットワーク',
    pictures: '画像',
    picture: '画像',
    previousPicture: '前の画像',
    nextPicture: '次の画像',
    saveContact: '連絡先を保存',
  },
  resetMail: {
    title: 'Waymark の新しいパスワードを設定してください',
    says: [
      'Waymark アカウントの新しいパスワードがリクエストされました。',
      '1 時間以内にこちらで設定してください：\n{url}',
      '心当たりがない場合は、このメールを無視してください。何も変更されていません。',
    ],
  },
  invitationMail: {
    title: 'Waymark の {workspace} に参加してください',
    says: [
      '{name} さんから Waymark のワークスペース {workspace} に招待されました。',
      '7 日以内に招待を承認してください：\n{url}',
      'この人物に心当たりがない場合は、このメールを無視してください。',
    ],
  },
  reset: {
    title: '新しいパスワードを選んでください',
    lead: 'すべてのセッションが終了し、すべての API キーが取り消され、すべての Webhook が無効になります。',
    requestLink: '新しいリンクをリクエスト',
    newPassword: '新しいパスワード',
    confirmPassword: 'パスワードの確認',
    keepKeys: 'API キーと Webhook を残す',
    keepKeysHint: 'ほかの人がアカウントを使っていないと確信できる場合だけにしてください。',
    action: 'パスワードを設定',
  },
  invitation: {
    title: '招待',
    wait: 'お待ちください…',
    invalid: 'この招待は使えません',
    invalidHint:
      '招待は 7 日以内に一度だけ使え、取り消されることもあります。招待した人は Settings の Members で新しい招待を作成できます。',
    dashboard: 'ダッシュボードへ',
    join: '{workspace} に参加',
    viewer: '{name} さんから閲覧者として招待されました。リンク、コード、ページ、統計を見ることができます。',
    editor: '{name} さんから編集者として招待されました。リンク、コード、ページを作成・編集できます。',
    admin:
      '{name} さんから管理者として招待されました。リンク、コード、ページ、メンバー、API キーを管理できます。',
    owner: '{name} さんからオーナーとして招待されました。プランと請求書を含むすべてを管理できます。',
    member: 'メンバー',
    otherAccount:
      '招待は {invited} に送られましたが、{email} でサインインしています。承認すると {email} がメンバーになります。',
    accept: '{email} として承認',
    useOther: '別のアカウントを使う',
    firstName: '名（任意）',
    email: 'メールアドレス',
    password: 'パスワード',
    action: 'アカウントを作成して参加',
    haveAccount: '{host} のアカウントをお持ちですか？',
    signIn: 'サインインして承認',
  },
  passwordRules: {
    label: 'パスワードの条件',
    length: '8 文字以上',
    lower: '小文字',
    upper: '大文字',
    digit: '数字',
    symbol: '記号',
  },
  noThirdParties: 'セルフホスト型です。このページは第三者にリクエストを送信しません。',
}
