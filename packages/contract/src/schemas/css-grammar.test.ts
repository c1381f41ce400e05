import { describe, expect, it } from 'vitest'
import { isClipPath, isLength, isRadius, isShadow } from './css-grammar.ts'

const check = (name: string, test: (value: string) => boolean, valid: string[], invalid: string[]): void => {
  describe(name, () => {
    it.each(valid)('accepts %j', (value) => expect(test(value)).toBe(true))
    it.each(invalid)('rejects %j', (value) => expect(test(value)).toBe(false))
  })
}

const hostile = [
  '',
  ' ',
  'url(x)',
  'var(--x)',
  'calc(1px)',
  'red}',
  '1px;',
  '1px/*',
  '"1px"',
  '\\31 px',
  '<1px',
  '1px\u00a02px',
]

check(
  'a length',
  isLength,
  ['0', '2px', '1.5em', '.5rem', '+3pt', '12345.6789px', '2PX'],
  [
    ...hostile,
    '2',
    '-2px',
    '2%',
    '0.0',
    '00',
    '123456px',
    '1.23456px',
    '2 px',
    '2px ',
    '2pxx',
    '2px 3px',
    'px',
  ],
)

check(
  'a radius',
  isRadius,
  ['0', '12px', '50%', '1px 2%', '1px  2px 3px 4px', '1px\t2px'],
  [...hostile, '1px 2px 3px 4px 5px', '-1px', '1px -1px', '1px,2px', '1px/2px', '1px2px', '12px auto'],
)

check(
  'a shadow',
  isShadow,
  [
    'none',
    'NONE',
    '0 0',
    '0 2px 8px rgba(0, 0, 0, 0.2)',
    '0 2px 8px rgb(0 0 0 / 20%)',
    '0 2px 8px rgb( 0 , 0 , 0 )',
    '0 2px 8px hsla(120deg, 50%, 50%, .3)',
    'red 0 1px',
    'inset 0 1px 2px 3px #abcd',
    '0 1px 2px -3px RebeccaPurple inset',
    'rgba(0,0,0,.1) 0 1px 2px, inset 0 0 1px #000',
    '0 0 , 0 0',
    Array.from({ length: 8 }, () => '0 0 #fff').join(','),
  ],
  [
    ...hostile,
    '0',
    '0 0 -1px',
    '0 0 0 0 0',
    '0 red 0',
    '0 0 red blue',
    'inset 0 0 inset',
    '0 0 banana',
    '0 0 #12345',
    '0 0 rgb(0,0)',
    '0 0 rgb(0,0,0,0,0)',
    '0 0 rgb(0,0,0',
    '0 0 rgb(0,0,0))',
    '0 0 rgb(0px,0,0)',
    '0 0 url(#a)',
    '0 0,',
    ',0 0',
    '0 0, none',
    Array.from({ length: 9 }, () => '0 0').join(','),
  ],
)

check(
  'a clip path',
  isClipPath,
  [
    'none',
    'polygon(0 0, 100% 0, 100% 80%, 0 100%)',
    'polygon( evenodd , 0 0,1px 1px , -5% 3em )',
    `polygon(${Array.from({ length: 64 }, () => '0 0').join(', ')})`,
    'circle()',
    'circle( 50% )',
    'circle(at center)',
    'circle(40% at 10px top)',
    'ellipse()',
    'ellipse(closest-side 20%)',
    'ellipse(10px 20px at left)',
    'inset(10%)',
    'inset(1px 2px 3px 4px)',
    'inset(1px 2px 3px 4px round 5px)',
    'INSET(-1px round 1px 2px 3px 4px )',
  ],
  [
    ...hostile,
    'polygon()',
    'polygon(0 0, 1px 1px)',
    'polygon(0 0 0, 1px 1px, 2px 2px)',
    'polygon(evenodd 0 0, 1px 1px, 2px 2px)',
    'polygon(0 0, 1px 1px, 2px 2px',
    `polygon(${Array.from({ length: 65 }, () => '0 0').join(', ')})`,
    'circle(-1px)',
    'circle(50% 50%)',
    'circle(50%at center)',
    'circle(at)',
    'circle(at left top right)',
    'ellipse(50%)',
    'inset()',
    'inset(1px 2px 3px 4px 5px)',
    'inset(1px round)',
    'inset(1px round -1px)',
    'path("M0 0")',
    'polygon (0 0, 1px 1px, 2px 2px)',
    'none none',
  ],
)
