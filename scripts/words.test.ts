import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Words that leave the reader guessing who is meant, or that are unexpected: name the subject instead. */
const UNCLEAR = /\b(?:whoever|whomever|somebody|nobody|everybody|anew|lest|thereof|hereby)\b/i

/** Phrases that read like a translation, and words to which only this project gives a meaning. */
const UNIDIOMATIC = new RegExp(
  [
    String.raw`\bin place of\b`,
    String.raw`\bthat (?:is|are) none\b`,
    String.raw`\bthat (?:is|are) no (?!longer\b)`,
    String.raw`\banother method than\b`,
    String.raw`\basks itself\b`,
    String.raw`\bfetchers? of previews\b`,
    String.raw`\bfield of nothing\b`,
    String.raw`\bfor the sake of memory\b`,
    String.raw`\bis (?:dear|away)\b`,
    String.raw`\blies about\b`,
    String.raw`\bonly the data can\b`,
    String.raw`\bdid not take\b`,
    String.raw`\bspeaks? against\b`,
    String.raw`\btidy(?:ing)? up\b`,
    String.raw`\bwhatever \w+ thinks\b`,
    String.raw`\b(?:rehearsals?|seasons?|crew|keeper)\b(?!\.)`,
  ].join('|'),
  'i',
)

const COMMENT = /^\s*(?:\/\/|\/\*|\*)|\s\/\/ /

const sources = globSync('{packages/*/{src,bin},scripts,bench}/**/*.{ts,tsx,mjs}', { cwd: root }).filter(
  (file) => !/\.test\.ts$|\.gen\.ts$|\/dist\/|\/migrations\/|node_modules/.test(file),
)
const pages = globSync(['*.md', 'docs/*.md', 'docs/adr/*.md'], { cwd: root })

const unclearLines = (files: readonly string[], isRead: (line: string) => boolean): string[] =>
  files.flatMap((file) =>
    readFileSync(`${root}${file}`, 'utf8')
      .split('\n')
      .flatMap((line, at) =>
        isRead(line) && (UNCLEAR.test(line) || UNIDIOMATIC.test(line))
          ? [`${file}:${at + 1}: ${line.trim()}`]
          : [],
      ),
  )

it('comments are plain English and name their subject', () => {
  expect(sources.length).toBeGreaterThan(100)
  expect(unclearLines(sources, (line) => COMMENT.test(line))).toEqual([])
})

it('pages of documentation are plain English and name their subject', () => {
  expect(pages.length).toBeGreaterThan(20)
  expect(unclearLines(pages, () => true)).toEqual([])
})

it('every decision record has a status', () => {
  const records = globSync('docs/adr/*.md', { cwd: root })
  expect(records.length).toBeGreaterThan(0)
  for (const file of records)
    expect(readFileSync(`${root}${file}`, 'utf8').split('\n')[2], file).toMatch(
      /^Status: (?:accepted|superseded by \[ADR \d+\]\(.+\)), \d{4}-\d\d-\d\d/,
    )
})
