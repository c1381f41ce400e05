/** ISO 3166-1 alpha-2, as assigned. */
export const COUNTRIES: ReadonlySet<string> = new Set(
  (
    'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
    'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO ' +
    'FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE ' +
    'JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO ' +
    'MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW ' +
    'PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM ' +
    'TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
  ).split(' '),
)

/** Operating systems as in statistics, by short names that rules can use as well. */
export const SYSTEMS: Readonly<Record<string, string>> = {
  android: 'Android',
  bada: 'Bada',
  blackberry: 'BlackBerry',
  chromeos: 'Chrome OS',
  harmonyos: 'HarmonyOS',
  ios: 'iOS',
  linux: 'Linux',
  macos: 'macOS',
  playstation4: 'PlayStation 4',
  roku: 'Roku',
  tizen: 'Tizen',
  webos: 'WebOS',
  windows: 'Windows',
  windowsphone: 'Windows Phone',
}

/** Browsers as in statistics, by short names that rules can use as well; without crawlers. */
export const BROWSERS: Readonly<Record<string, string>> = {
  amazon_silk: 'Amazon Silk',
  android: 'Android Browser',
  bada: 'Bada',
  blackberry: 'BlackBerry',
  brave: 'Brave',
  chrome: 'Chrome',
  chromium: 'Chromium',
  duckduckgo: 'DuckDuckGo',
  edge: 'Microsoft Edge',
  electron: 'Electron',
  epiphany: 'Epiphany',
  firefox: 'Firefox',
  focus: 'Focus',
  google_search: 'Google Search',
  heytap: 'HeyTap Browser',
  ie: 'Internet Explorer',
  k_meleon: 'K-Meleon',
  ladybird: 'Ladybird',
  librewolf: 'LibreWolf',
  maxthon: 'Maxthon',
  mz: 'MZ Browser',
  naver: 'NAVER Whale Browser',
  opera: 'Opera',
  opera_coast: 'Opera Coast',
  pale_moon: 'Pale Moon',
  puffin: 'Puffin',
  qq: 'QQ Browser',
  qqlite: 'QQ Browser Lite',
  qupzilla: 'QupZilla',
  roku: 'Roku',
  safari: 'Safari',
  sailfish: 'Sailfish',
  samsung_internet: 'Samsung Internet for Android',
  seamonkey: 'SeaMonkey',
  sleipnir: 'Sleipnir',
  sogou: 'Sogou Browser',
  swing: 'Swing',
  tizen: 'Tizen',
  uc: 'UC Browser',
  vivaldi: 'Vivaldi',
  vivo: 'Vivo Browser',
  webos: 'WebOS Browser',
  wechat: 'WeChat',
  yandex: 'Yandex Browser',
}

/** Ignores capitals, spaces, hyphens and underscores: `Samsung Internet` equals `samsung_internet`. */
const keyOf = (name: string): string => name.toLowerCase().replaceAll(/[ _-]/g, '')

const namesOf = (table: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(table).flatMap(([short, name]) => [short, name].map((key) => [keyOf(key), name])))

const systems = namesOf(SYSTEMS)
const browsers = namesOf(BROWSERS)

/** The name of a system in statistics, from any spelling; undefined if it is unknown. */
export const systemName = (given: string): string | undefined => systems.get(keyOf(given))

/** The name of a browser in statistics, from any spelling; undefined if it is unknown. */
export const browserName = (given: string): string | undefined => browsers.get(keyOf(given))
