import { inkOn } from './colors.ts'
import { colorOf, cssValue } from './css-value.ts'
import { fontFaces, fontFamily } from './fonts.ts'
import { isPlain, palettesOf, type Palette } from './palette.ts'
import { englishWords, type PageTheme, type PageView, type PageWords } from './view.ts'

const background = (ground: readonly string[]): string =>
  ground.length > 1 ? `linear-gradient(160deg,${ground.join(',')})` : (ground[0] ?? 'none')

/** Two soft highlights on the plain background of a page without its own. */
const lights: Record<Palette['scheme'], string> = {
  light:
    'radial-gradient(60rem 40rem at 12% -8%,#ffe3c9,transparent 70%),radial-gradient(56rem 44rem at 105% 12%,#e2dcff,transparent 68%),radial-gradient(60rem 40rem at 40% 115%,#d8f0e6,transparent 70%),',
  dark: 'radial-gradient(60rem 40rem at 12% -8%,#33233f,transparent 70%),radial-gradient(56rem 44rem at 105% 12%,#1a2547,transparent 68%),radial-gradient(60rem 40rem at 40% 115%,#12302c,transparent 70%),',
}

const variables = (palette: Palette, hasLights: boolean): string =>
  [
    `color-scheme:${palette.scheme}`,
    `--edge:${palette.body[0] ?? '#ffffff'}`,
    `--ground:${hasLights ? lights[palette.scheme] : ''}${background(palette.body)}`,
    `--box:${background(palette.box)}`,
    `--text:${palette.text}`,
    `--sub:${palette.subtext}`,
    `--line:${palette.line}`,
    `--button:${palette.button}`,
    `--label:${palette.buttonText}`,
    `--rim:${palette.buttonLine}`,
    `--icon:${palette.social}`,
    `--disc:${palette.socialGround}`,
    `--border:${palette.border}`,
    `--logo:${palette.logoGround ?? 'transparent'}`,
    `--logotext:${palette.logoText}`,
    `--shade:${palette.scheme === 'dark' ? '#00000066' : '#1b14331a'}`,
  ].join(';')

const baseRules = ({ picture, previousPicture, nextPicture }: PageWords): string => `
*{box-sizing:border-box;margin:0;padding:0}
html{background:var(--edge);color:var(--text);font:100%/1.5 var(--font);-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{--pad:clamp(1rem,5vw,2.5rem);min-height:100vh;min-height:100svh;display:flex;padding:clamp(1rem,4vh,4rem) var(--pad);overflow-wrap:anywhere}
body:before{content:"";position:fixed;inset:0;z-index:-1;background:var(--ground)}
main{position:relative;width:100%;max-width:36rem;margin:auto;display:flex;flex-direction:column;gap:1.75rem}
ul{list-style:none}
img{display:block;max-width:100%}
.logo{display:flex;align-items:center;gap:.75rem;max-width:100%;min-width:0;align-self:center;color:var(--logotext);background:var(--logo);border-radius:1.25rem;font-weight:700;letter-spacing:-.01em}
.logo span{min-width:0}
.logo img{width:auto;height:auto;max-height:3.5rem;max-width:min(12rem,60vw);border-radius:.75rem;object-fit:contain}
.left{align-self:flex-start}
.right{align-self:flex-end}
.large{font-size:1.25rem}
.large img{max-height:7rem;max-width:min(18rem,80vw);border-radius:1.5rem}
.filled{padding:.6rem .9rem}
.large.filled{border-radius:1.75rem;padding:.9rem 1.1rem}
header{display:flex;flex-direction:column;gap:.6rem;text-align:center}
h1{font-size:clamp(1.8rem,1.35rem + 2.4vw,2.6rem);line-height:1.12;font-weight:800;letter-spacing:-.025em;text-wrap:balance}
.long{font-size:clamp(1.35rem,1.1rem + 1.3vw,1.9rem);letter-spacing:-.015em;line-height:1.2}
header p{color:var(--sub);font-size:1.0625rem;white-space:pre-line;text-wrap:balance;max-width:32rem;margin-inline:auto}
nav ul{display:flex;flex-direction:column;gap:.875rem}
.b{position:relative;display:block;padding:1.05rem 3rem;min-height:3.5rem;border-radius:var(--round);background:var(--button);color:var(--label);border:1px solid var(--rim);box-shadow:0 1px 2px var(--shade),0 6px 20px -8px var(--shade);font-weight:650;line-height:1.35;text-align:center;text-wrap:balance;text-decoration:none}
a.b:after{content:"";position:absolute;top:50%;inset-inline-end:1.4rem;width:.5rem;height:.5rem;margin-top:-.3rem;border:solid;border-width:2px 2px 0 0;transform:rotate(45deg);opacity:.45}
a.b:dir(rtl):after{transform:rotate(-135deg)}
p.b{box-shadow:none}
.b img{position:absolute;top:50%;inset-inline-start:.5rem;width:2.75rem;height:2.75rem;margin-top:-1.375rem;border-radius:min(var(--round),.75rem);object-fit:cover}
.b:has(img){padding-inline:4rem}
nav h2{padding-top:.75rem;font-size:1.1875rem;line-height:1.25;text-align:center;text-wrap:balance}
.t{color:var(--sub);text-align:center;white-space:pre-line}
li[role=separator]{height:1px;margin:.5rem 0;background:var(--line)}
.social{display:flex;flex-wrap:wrap;gap:.75rem}
.social a,.social span{display:grid;place-items:center;width:3rem;height:3rem;border-radius:50%;background:var(--disc);color:var(--icon)}
.social svg{width:1.3rem;height:1.3rem;fill:currentColor}
figure{overflow:hidden}
figure img{width:100%;height:auto;border-radius:1.25rem;object-fit:cover;background:var(--line)}
figcaption{padding:.6rem .25rem 0;color:var(--sub);font-size:.9375rem;text-align:center}
.hero img{aspect-ratio:auto 16/9;max-height:70vh;max-height:70svh}
.gallery{position:relative;margin-inline:calc(-1*var(--pad))}
.reel{display:flex;gap:.875rem;padding:.25rem var(--pad) .75rem;overflow-x:auto;scroll-snap-type:x mandatory;overscroll-behavior-x:contain;scrollbar-width:thin;scrollbar-color:var(--line) transparent}
.reel li{flex:0 0 min(84%,26rem);scroll-snap-align:center}
.reel img{aspect-ratio:4/3;height:auto}
.shape{flex:none;background:var(--shape);height:var(--rise)}
a:focus-visible,.reel:focus-visible{outline:3px solid var(--text);outline-offset:3px}
@supports(scroll-marker-group:after){.reel{scrollbar-width:none;scroll-marker-group:after}.reel::scroll-marker-group{height:1.5rem;display:flex;justify-content:center;gap:.25rem}.reel li::scroll-marker{content:"" / "${picture}";box-sizing:border-box;width:1.5rem;height:1.5rem;border-radius:50%;border:.5rem solid transparent;background:var(--sub) content-box;opacity:.35}.reel li::scroll-marker:target-current{opacity:1}.reel li::scroll-marker:focus-visible{outline:3px solid var(--text)}}
@media (hover:hover) and (min-width:48rem){.reel::scroll-button(*){position:absolute;box-sizing:border-box;z-index:1;top:calc(50% - 2.25rem);width:3rem;height:3rem;border:1px solid var(--rim);border-radius:50%;background:var(--button);color:var(--label);font:1.25rem/1 system-ui;box-shadow:0 4px 16px var(--shade);cursor:pointer}.reel::scroll-button(left){left:1rem;content:"\\2190" / "${previousPicture}"}.reel::scroll-button(right){right:1rem;content:"\\2192" / "${nextPicture}"}.reel::scroll-button(*):disabled{opacity:0}.reel::scroll-button(*):focus-visible{outline:3px solid var(--text)}}
@media (prefers-reduced-motion:no-preference){.reel{scroll-behavior:smooth}a.b,.social a{transition:transform .18s cubic-bezier(.2,.8,.3,1),box-shadow .18s,filter .18s}a.b:after{transition:transform .18s,opacity .18s}a.b:hover{transform:translateY(-2px)}a.b:active,.social a:active{transform:scale(.985)}.social a:hover{transform:translateY(-2px)}a.b:hover:after{transform:translateX(3px) rotate(45deg)}a.b:dir(rtl):hover:after{transform:translateX(-3px) rotate(-135deg)}}
@media (hover:hover){a.b:hover{box-shadow:0 2px 4px var(--shade),0 14px 30px -10px var(--shade)}a.b:hover:after{opacity:.9}.social a:hover{filter:brightness(1.06)}}
@media (min-width:44rem){.gallery{margin-inline:0}.reel{padding-inline:0;border-radius:1.25rem}}
@media (min-width:120rem){html{font-size:125%}}
@media print{body:before{display:none}.b{box-shadow:none}}
`

/** Only for pages with images, videos or contacts among their buttons. */
const BLOCKS = `
nav figure a{display:block}
nav figure img{max-height:none}
.f{position:relative;display:block;min-height:9rem;aspect-ratio:auto 16/9;border-radius:1.25rem;overflow:hidden;background:var(--line)}
.f img{width:100%;height:100%;object-fit:cover}
.v{display:block;color:var(--text);text-decoration:none;text-align:center}
.v .f{aspect-ratio:16/9}
.v svg{position:absolute;inset:0;width:3.5rem;height:3.5rem;margin:auto;padding:.9rem;border-radius:50%;background:var(--button);border:1px solid var(--rim);fill:var(--label);box-shadow:0 4px 16px var(--shade)}
.c{display:block;padding:.6rem .25rem 0;font-weight:650}
.card{display:flex;flex-direction:column;gap:.35rem;padding:1.5rem;border:1px solid var(--line);border-radius:min(var(--round),1.75rem);text-align:center}
.card>img{align-self:center;width:6rem;height:6rem;margin-bottom:.5rem;border-radius:50%;object-fit:cover}
.card h2{padding-top:0}
.card p:not(.b){color:var(--sub)}
.card p a{display:inline-block;padding:.15rem 0;color:var(--text)}
.card .b{margin-top:.75rem}
`

const hasBlocks = ({ buttons }: PageView): boolean =>
  buttons.some(({ type }) => type === 'image' || type === 'video' || type === 'contact')

const BOXED = `main{background:var(--box);border-radius:var(--boxround);padding:clamp(1.5rem,6vw,3rem) var(--pad)}`

const boxRules = (theme: PageTheme, isBoxed: boolean): string => {
  const radius = cssValue(theme.borderRadius)
  const width = cssValue(theme.borderWidth) ?? (colorOf(theme.borderColor) === null ? null : '1px')
  const shadow = cssValue(theme.boxShadow) ?? (isBoxed ? '0 30px 80px -30px var(--shade)' : null)
  return [
    `:root{--round:${radius !== null && !radius.includes('%') ? radius : '1.125rem'};--boxround:${radius ?? '1.75rem'}}`,
    isBoxed ? BOXED : '',
    isBoxed && width !== null ? `main{border:${width} solid var(--border)}` : '',
    isBoxed && shadow !== null ? `main{box-shadow:${shadow}}` : '',
  ].join('')
}

const DEFAULT_SHAPE_HEIGHT = 160

const shapeRules = ({ topShape }: PageView, isBoxed: boolean): string => {
  if (!hasShape(topShape)) return ''
  const color = colorOf(topShape?.color) ?? 'var(--line)'
  const height = Number.isFinite(topShape?.height) ? Math.trunc(topShape?.height ?? 0) : DEFAULT_SHAPE_HEIGHT
  const clip = cssValue(topShape?.clip)
  // It spans the box, or otherwise the window.
  const reach = isBoxed
    ? `margin:calc(-1*clamp(1.5rem,6vw,3rem)) calc(-1*var(--pad)) 0`
    : 'margin:calc(-1*clamp(1rem,4vh,4rem)) calc(50% - 50vw) 0'
  const place = isBoxed ? 'main{overflow:clip}' : 'html{overflow-x:clip}main{margin-top:0}'
  return `${place}.shape{--shape:${color};--rise:min(${height}px,60vh);${reach}${clip === null ? '' : `;clip-path:${clip}`}}.shape+.over{position:relative;margin-top:-4rem}`
}

/** Whether a page has a visible shape at its top. */
export const hasShape = (shape: PageView['topShape']): boolean =>
  shape != null &&
  shape.height !== 0 &&
  [shape.color, shape.clip, shape.height].some((value) => value !== null && value !== undefined)

const iconRules = ({ socialIcons, socialAlign, theme }: PageView): string => {
  const sides = { left: 'flex-start', center: 'center', right: 'flex-end' }
  const discs = (socialIcons ?? []).map(({ bg }, index) => {
    const color = colorOf(bg)
    if (color === null) return ''
    const glyph = colorOf(theme?.socialIconColor) ?? inkOn([color])
    return `.social .i${index}{background:${color};color:${glyph}}`
  })
  return `.social{justify-content:${sides[socialAlign ?? 'center']}}${discs.join('')}`
}

/** The whole style sheet of a page. The same view always gives the same text, so its hash can be in the policy. */
export const styleOf = (view: PageView): string => {
  const theme = view.theme ?? {}
  const [first, dark] = palettesOf(theme)
  const isBoxed = first.box.length > 0
  const hasLights = isPlain(theme)
  return [
    fontFaces(theme.font),
    `:root{--font:${fontFamily(theme.font)};${variables(first, hasLights)}}`,
    dark === undefined ? '' : `@media (prefers-color-scheme:dark){:root{${variables(dark, hasLights)}}}`,
    baseRules(view.words ?? englishWords).replaceAll('\n', ''),
    hasBlocks(view) ? BLOCKS.replaceAll('\n', '') : '',
    boxRules(theme, isBoxed),
    shapeRules(view, isBoxed),
    iconRules(view),
  ].join('')
}
