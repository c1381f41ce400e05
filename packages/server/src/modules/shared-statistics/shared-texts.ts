import type { Language } from '@waymark/page/languages'
import type { Period } from './shared-statistics.service.ts'

/** A title, and a sentence below it. */
interface SharedNotice {
  readonly title: string
  readonly sentence: string
}

/** The texts of shared statistics in one language. */
export interface SharedTexts {
  readonly clicks: string
  readonly views: string
  readonly visitors: string
  readonly totals: string
  readonly clicksOverTime: string
  readonly viewsOverTime: string
  readonly atMost: string
  readonly soFar: string
  readonly noClicks: string
  readonly noViews: string
  readonly period: string
  readonly periods: Readonly<Record<Period, string>>
  /** The title in the browser's tab. */
  readonly statisticsOf: string
  readonly footnote: string
  readonly sharedWith: string
  readonly titles: Readonly<
    Record<'source' | 'button' | 'country' | 'referrer' | 'device' | 'browser' | 'system', string>
  >
  /** Values that have a name in each language. */
  readonly values: Readonly<
    Record<
      'qr' | 'link' | 'mobile' | 'tablet' | 'desktop' | 'direct' | 'unknown' | 'other' | 'rest' | 'removed',
      string
    >
  >
  readonly missing: SharedNotice
  readonly limited: SharedNotice
  readonly unavailable: SharedNotice
}

const en: SharedTexts = {
  clicks: 'Clicks',
  views: 'Views',
  visitors: 'Visitors',
  totals: 'Totals',
  clicksOverTime: 'Clicks over time',
  viewsOverTime: 'Views over time',
  atMost: 'at most {count}',
  soFar: 'so far',
  noClicks: 'No clicks in this period',
  noViews: 'No views in this period',
  period: 'Period',
  periods: { 7: '7 days', 30: '30 days', 90: '90 days', 365: '12 months' },
  statisticsOf: '{name}: statistics',
  footnote: 'Without bots. Days are in UTC. Updated every minute.',
  sharedWith: 'Statistics shared with Waymark',
  titles: {
    source: 'Opened by',
    button: 'Buttons',
    country: 'Countries',
    referrer: 'Referrers',
    device: 'Devices',
    browser: 'Browsers',
    system: 'Operating systems',
  },
  values: {
    qr: 'QR code or barcode',
    link: 'Link',
    mobile: 'Mobile',
    tablet: 'Tablet',
    desktop: 'Desktop',
    direct: 'Direct',
    unknown: 'Unknown',
    other: 'Other',
    rest: 'All others',
    removed: 'Removed button',
  },
  missing: {
    title: 'Statistics not found',
    sentence:
      'These statistics are no longer shared; ask the person who sent you this address for a new one.',
  },
  limited: {
    title: 'Too many requests',
    sentence: 'Your network sent too many requests. Wait a minute, then reload this page.',
  },
  unavailable: {
    title: 'Temporarily unavailable',
    sentence: 'These statistics cannot be shown right now. Reload this page in a moment.',
  },
}

const de: SharedTexts = {
  clicks: 'Klicks',
  views: 'Aufrufe',
  visitors: 'Besucher',
  totals: 'Summen',
  clicksOverTime: 'Klicks im Zeitverlauf',
  viewsOverTime: 'Aufrufe im Zeitverlauf',
  atMost: 'höchstens {count}',
  soFar: 'bisher',
  noClicks: 'Keine Klicks in diesem Zeitraum',
  noViews: 'Keine Aufrufe in diesem Zeitraum',
  period: 'Zeitraum',
  periods: { 7: '7 Tage', 30: '30 Tage', 90: '90 Tage', 365: '12 Monate' },
  statisticsOf: '{name}: Statistik',
  footnote: 'Ohne Bots. Tage in UTC. Jede Minute aktualisiert.',
  sharedWith: 'Statistik, geteilt mit Waymark',
  titles: {
    source: 'Geöffnet über',
    button: 'Schaltflächen',
    country: 'Länder',
    referrer: 'Verweise',
    device: 'Geräte',
    browser: 'Browser',
    system: 'Betriebssysteme',
  },
  values: {
    qr: 'QR-Code oder Barcode',
    link: 'Link',
    mobile: 'Smartphone',
    tablet: 'Tablet',
    desktop: 'Desktop',
    direct: 'Direkt',
    unknown: 'Unbekannt',
    other: 'Andere',
    rest: 'Alle anderen',
    removed: 'Entfernte Schaltfläche',
  },
  missing: {
    title: 'Statistik nicht gefunden',
    sentence:
      'Diese Statistik wird nicht mehr geteilt. Bitten Sie die Person, die Ihnen die Adresse geschickt hat, um eine neue.',
  },
  limited: {
    title: 'Zu viele Anfragen',
    sentence:
      'Aus Ihrem Netz kamen zu viele Anfragen. Warten Sie eine Minute und laden Sie die Seite dann neu.',
  },
  unavailable: {
    title: 'Vorübergehend nicht verfügbar',
    sentence: 'Diese Statistik kann gerade nicht angezeigt werden. Laden Sie die Seite gleich noch einmal.',
  },
}

const fr: SharedTexts = {
  clicks: 'Clics',
  views: 'Vues',
  visitors: 'Visiteurs',
  totals: 'Totaux',
  clicksOverTime: 'Clics au fil du temps',
  viewsOverTime: 'Vues au fil du temps',
  atMost: '{count} au maximum',
  soFar: 'pour l’instant',
  noClicks: 'Aucun clic sur cette période',
  noViews: 'Aucune vue sur cette période',
  period: 'Période',
  periods: { 7: '7 jours', 30: '30 jours', 90: '90 jours', 365: '12 mois' },
  statisticsOf: '{name} : statistiques',
  footnote: 'Sans les robots. Jours en UTC. Mise à jour chaque minute.',
  sharedWith: 'Statistiques partagées avec Waymark',
  titles: {
    source: 'Ouvert par',
    button: 'Boutons',
    country: 'Pays',
    referrer: 'Sites d’origine',
    device: 'Appareils',
    browser: 'Navigateurs',
    system: 'Systèmes d’exploitation',
  },
  values: {
    qr: 'Code QR ou code-barres',
    link: 'Lien',
    mobile: 'Mobile',
    tablet: 'Tablette',
    desktop: 'Ordinateur',
    direct: 'Direct',
    unknown: 'Inconnu',
    other: 'Autre',
    rest: 'Tous les autres',
    removed: 'Bouton supprimé',
  },
  missing: {
    title: 'Statistiques introuvables',
    sentence:
      'Ces statistiques ne sont plus partagées. Demandez une nouvelle adresse à la personne qui vous l’a envoyée.',
  },
  limited: {
    title: 'Trop de requêtes',
    sentence: 'Votre réseau a envoyé trop de requêtes. Patientez une minute, puis actualisez cette page.',
  },
  unavailable: {
    title: 'Temporairement indisponible',
    sentence: 'Ces statistiques ne peuvent pas être affichées. Actualisez cette page dans un instant.',
  },
}

const es: SharedTexts = {
  clicks: 'Clics',
  views: 'Visitas',
  visitors: 'Visitantes',
  totals: 'Totales',
  clicksOverTime: 'Clics a lo largo del tiempo',
  viewsOverTime: 'Visitas a lo largo del tiempo',
  atMost: '{count} como máximo',
  soFar: 'hasta ahora',
  noClicks: 'Ningún clic en este periodo',
  noViews: 'Ninguna visita en este periodo',
  period: 'Periodo',
  periods: { 7: '7 días', 30: '30 días', 90: '90 días', 365: '12 meses' },
  statisticsOf: '{name}: estadísticas',
  footnote: 'Sin bots. Los días son UTC. Se actualiza cada minuto.',
  sharedWith: 'Estadísticas compartidas con Waymark',
  titles: {
    source: 'Abierto mediante',
    button: 'Botones',
    country: 'Países',
    referrer: 'Sitios de origen',
    device: 'Dispositivos',
    browser: 'Navegadores',
    system: 'Sistemas operativos',
  },
  values: {
    qr: 'Código QR o de barras',
    link: 'Enlace',
    mobile: 'Móvil',
    tablet: 'Tableta',
    desktop: 'Ordenador',
    direct: 'Directo',
    unknown: 'Desconocido',
    other: 'Otro',
    rest: 'Todos los demás',
    removed: 'Botón eliminado',
  },
  missing: {
    title: 'Estadísticas no encontradas',
    sentence: 'Estas estadísticas ya no se comparten. Pida una dirección nueva a la persona que se la envió.',
  },
  limited: {
    title: 'Demasiadas solicitudes',
    sentence: 'Su red ha enviado demasiadas solicitudes. Espere un minuto y vuelva a cargar esta página.',
  },
  unavailable: {
    title: 'No disponible por el momento',
    sentence: 'Estas estadísticas no se pueden mostrar ahora. Vuelva a cargar la página en un momento.',
  },
}

const pt: SharedTexts = {
  clicks: 'Cliques',
  views: 'Visualizações',
  visitors: 'Visitantes',
  totals: 'Totais',
  clicksOverTime: 'Cliques ao longo do tempo',
  viewsOverTime: 'Visualizações ao longo do tempo',
  atMost: 'no máximo {count}',
  soFar: 'até agora',
  noClicks: 'Nenhum clique neste período',
  noViews: 'Nenhuma visualização neste período',
  period: 'Período',
  periods: { 7: '7 dias', 30: '30 dias', 90: '90 dias', 365: '12 meses' },
  statisticsOf: '{name}: estatísticas',
  footnote: 'Sem bots. Os dias são em UTC. Atualizado a cada minuto.',
  sharedWith: 'Estatísticas partilhadas com Waymark',
  titles: {
    source: 'Aberto por',
    button: 'Botões',
    country: 'Países',
    referrer: 'Sites de origem',
    device: 'Dispositivos',
    browser: 'Navegadores',
    system: 'Sistemas operativos',
  },
  values: {
    qr: 'Código QR ou de barras',
    link: 'Link',
    mobile: 'Telemóvel',
    tablet: 'Tablet',
    desktop: 'Computador',
    direct: 'Direto',
    unknown: 'Desconhecido',
    other: 'Outro',
    rest: 'Todos os outros',
    removed: 'Botão removido',
  },
  missing: {
    title: 'Estatísticas não encontradas',
    sentence: 'Estas estatísticas já não são partilhadas. Peça um novo endereço à pessoa que lho enviou.',
  },
  limited: {
    title: 'Demasiados pedidos',
    sentence: 'A sua rede enviou demasiados pedidos. Aguarde um minuto e recarregue esta página.',
  },
  unavailable: {
    title: 'Temporariamente indisponível',
    sentence: 'Estas estatísticas não podem ser mostradas agora. Recarregue a página daqui a pouco.',
  },
}

const it: SharedTexts = {
  clicks: 'Clic',
  views: 'Visualizzazioni',
  visitors: 'Visitatori',
  totals: 'Totali',
  clicksOverTime: 'Clic nel tempo',
  viewsOverTime: 'Visualizzazioni nel tempo',
  atMost: 'al massimo {count}',
  soFar: 'finora',
  noClicks: 'Nessun clic in questo periodo',
  noViews: 'Nessuna visualizzazione in questo periodo',
  period: 'Periodo',
  periods: { 7: '7 giorni', 30: '30 giorni', 90: '90 giorni', 365: '12 mesi' },
  statisticsOf: '{name}: statistiche',
  footnote: 'Senza bot. I giorni sono in UTC. Aggiornato ogni minuto.',
  sharedWith: 'Statistiche condivise con Waymark',
  titles: {
    source: 'Aperto da',
    button: 'Pulsanti',
    country: 'Paesi',
    referrer: 'Siti di provenienza',
    device: 'Dispositivi',
    browser: 'Browser',
    system: 'Sistemi operativi',
  },
  values: {
    qr: 'Codice QR o a barre',
    link: 'Link',
    mobile: 'Smartphone',
    tablet: 'Tablet',
    desktop: 'Computer',
    direct: 'Diretto',
    unknown: 'Sconosciuto',
    other: 'Altro',
    rest: 'Tutti gli altri',
    removed: 'Pulsante rimosso',
  },
  missing: {
    title: 'Statistiche non trovate',
    sentence:
      'Queste statistiche non sono più condivise. Chieda un nuovo indirizzo alla persona che glielo ha inviato.',
  },
  limited: {
    title: 'Troppe richieste',
    sentence: 'La sua rete ha inviato troppe richieste. Attenda un minuto e ricarichi questa pagina.',
  },
  unavailable: {
    title: 'Momentaneamente non disponibile',
    sentence: 'Queste statistiche non possono essere mostrate ora. Ricarichi la pagina tra poco.',
  },
}

const ja: SharedTexts = {
  clicks: 'クリック数',
  views: '表示回数',
  visitors: '訪問者数',
  totals: '合計',
  clicksOverTime: 'クリック数の推移',
  viewsOverTime: '表示回数の推移',
  atMost: '最大 {count}',
  soFar: '集計中',
  noClicks: 'この期間のクリックはありません',
  noViews: 'この期間の表示はありません',
  period: '期間',
  periods: { 7: '7日間', 30: '30日間', 90: '90日間', 365: '12か月' },
  statisticsOf: '{name}：統計',
  footnote: 'ボットを除きます。日付は UTC です。1分ごとに更新されます。',
  sharedWith: 'Waymark で共有された統計',
  titles: {
    source: 'アクセス方法',
    button: 'ボタン',
    country: '国',
    referrer: '参照元',
    device: 'デバイス',
    browser: 'ブラウザー',
    system: 'OS',
  },
  values: {
    qr: 'QRコードまたはバーコード',
    link: 'リンク',
    mobile: 'スマートフォン',
    tablet: 'タブレット',
    desktop: 'パソコン',
    direct: '直接',
    unknown: '不明',
    other: 'その他',
    rest: '残りすべて',
    removed: '削除されたボタン',
  },
  missing: {
    title: '統計が見つかりません',
    sentence: 'この統計の共有は終了しました。アドレスを送った方に新しいものを依頼してください。',
  },
  limited: {
    title: 'リクエストが多すぎます',
    sentence: 'お使いのネットワークからのリクエストが多すぎます。1分ほど待ってから再読み込みしてください。',
  },
  unavailable: {
    title: '一時的に利用できません',
    sentence: '現在この統計を表示できません。しばらくしてから再読み込みしてください。',
  },
}

const zh: SharedTexts = {
  clicks: '点击次数',
  views: '浏览次数',
  visitors: '访客数',
  totals: '总计',
  clicksOverTime: '点击次数变化',
  viewsOverTime: '浏览次数变化',
  atMost: '最多 {count}',
  soFar: '截至目前',
  noClicks: '此时间段内没有点击',
  noViews: '此时间段内没有浏览',
  period: '时间段',
  periods: { 7: '7 天', 30: '30 天', 90: '90 天', 365: '12 个月' },
  statisticsOf: '{name}：统计',
  footnote: '不含机器人。日期按 UTC 计算。每分钟更新。',
  sharedWith: '通过 Waymark 分享的统计',
  titles: {
    source: '打开方式',
    button: '按钮',
    country: '国家',
    referrer: '来源网站',
    device: '设备',
    browser: '浏览器',
    system: '操作系统',
  },
  values: {
    qr: '二维码或条形码',
    link: '链接',
    mobile: '手机',
    tablet: '平板电脑',
    desktop: '电脑',
    direct: '直接访问',
    unknown: '未知',
    other: '其他',
    rest: '所有其他',
    removed: '已删除的按钮',
  },
  missing: {
    title: '找不到统计',
    sentence: '此统计已停止分享。请向发送此地址的人索取新地址。',
  },
  limited: { title: '请求过多', sentence: '您的网络发送了过多请求。请等待一分钟，然后重新加载此页面。' },
  unavailable: { title: '暂时不可用', sentence: '目前无法显示此统计。请稍后重新加载此页面。' },
}

/** In the eight languages of visitors. */
export const sharedTexts: Readonly<Record<Language, SharedTexts>> = { en, de, fr, es, pt, it, ja, zh }
