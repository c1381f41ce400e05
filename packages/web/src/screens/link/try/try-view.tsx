import { queryOptions, useQuery, keepPreviousData } from '@tanstack/react-query'
import { COUNTRIES } from '@waymark/contract/visitor-names'
import type { Data, Link } from '@waymark/sdk'
import { useEffect, useEffectEvent, useState } from 'react'
import { api, sentenceOf } from '../../../api/client.ts'
import { SelectField, SwitchField } from '../../../ui/choices.tsx'
import { ComboField } from '../../../ui/combo-field.tsx'
import { TextField } from '../../../ui/field.tsx'
import { MomentField } from '../../../ui/moment-field.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Card, Skeletons } from '../../../ui/screen.tsx'
import { usePaused } from '../../../ui/use-paused.ts'
import { LANGUAGES } from '../rules/languages.ts'
import { countryName, languageName } from '../rules/rule-words.ts'
import { Outcome } from './outcome.tsx'
import {
  anyone,
  devices,
  type DeviceName,
  moments,
  sentVisitor,
  type VisitorValues,
} from './visitor-values.ts'

const TYPING_MS = 200

/** The same link and visitor have the same result, so it is requested once. */
const simulationQuery = (link: Link, visitor: VisitorValues) =>
  queryOptions({
    queryKey: ['links', 'simulation', link.uuid, link.updated_at, visitor],
    queryFn: async ({ signal }) =>
      (await api.simulateLink(sentVisitor(link.uuid, visitor, Date.now()), { signal })).data,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })

const named = (codes: Iterable<string>, nameOf: (code: string) => string, any: string) => [
  { value: '', label: any },
  ...[...codes]
    .map((value) => ({ value, label: nameOf(value) }))
    .sort((a, b) => a.label.localeCompare(b.label)),
]

const countries = named(COUNTRIES, countryName, 'Any country')
const languageNames = LANGUAGES.map(languageName)
const codeOfLanguage = new Map(LANGUAGES.map((code) => [languageName(code).toLowerCase(), code]))

/** What decided: the number of a rule, the destination of an operating system, or neither; null: there is no redirect. */
export type Decided = number | 'ios' | 'android' | 'else' | null

const decidedBy = ({ reason, rule }: Data<'simulateLink'>): Decided =>
  reason === 'rule' ? rule : reason === 'link' || reason === 'variant' ? 'else' : null

/** Describes a visitor and shows where they would be sent. Nothing is counted. */
export function TryView({
  link,
  onDecided,
}: {
  readonly link: Link
  readonly onDecided: (decided: Decided) => void
}) {
  const [visitor, setVisitor] = useState(anyone)
  const [language, setLanguage] = useState('')
  const set = (part: Partial<VisitorValues>): void => setVisitor((before) => ({ ...before, ...part }))
  const { data, error } = useQuery(simulationQuery(link, usePaused(visitor, TYPING_MS)))
  const decided = data === undefined ? undefined : decidedBy(data)
  const tell = useEffectEvent(onDecided)
  useEffect(() => {
    if (decided !== undefined) tell(decided)
  }, [decided])
  return (
    <Card title="Try as" lead="Describe a visitor to see the destination. Nothing is counted.">
      <div className="space-y-6">
        <div className="grid gap-4 sm:grid-cols-2">
          <SelectField
            label="Device"
            value={visitor.device}
            onValue={(device) => set({ device })}
            options={(Object.keys(devices) as DeviceName[]).map((value) => ({
              value,
              label: devices[value].label,
            }))}
          />
          <SelectField
            label="Country"
            value={visitor.country}
            onValue={(country) => set({ country })}
            options={countries}
          />
          <ComboField
            label="Language"
            isOptional
            placeholder="French, or fr-CA"
            suggestions={languageNames}
            value={language}
            onValue={(text) => {
              setLanguage(text)
              set({ language: codeOfLanguage.get(text.trim().toLowerCase()) ?? text })
            }}
          />
          <SelectField
            label="Time"
            value={visitor.moment}
            onValue={(moment) => set({ moment })}
            options={Object.entries(moments).map(([value, label]) => ({
              value: value as keyof typeof moments,
              label,
            }))}
          />
          {visitor.moment === 'at' && (
            <MomentField
              label="Date"
              edge="start"
              timeLabel="Time of day"
              className="sm:col-span-2"
              value={visitor.at}
              onValue={(at) => set({ at })}
            />
          )}
          <TextField
            label="Referrer"
            isOptional
            placeholder="news.example.com"
            value={visitor.referrer}
            onValue={(referrer) => set({ referrer })}
          />
          <TextField
            label="Query parameters"
            isOptional
            placeholder="ref=mail"
            value={visitor.query}
            onValue={(query) => set({ query })}
          />
          {link.forward_path && (
            <TextField
              label="Path"
              isOptional
              placeholder="/guide/start"
              value={visitor.path}
              onValue={(path) => set({ path })}
            />
          )}
          {link.has_password && (
            <div className="sm:col-span-2">
              <SwitchField
                label="Knows the password"
                isOn={visitor.knowsPassword}
                onToggle={(knowsPassword) => set({ knowsPassword })}
              />
            </div>
          )}
        </div>
        {error !== null ? (
          <Notice kind="danger">{sentenceOf(error)}</Notice>
        ) : data === undefined ? (
          <Skeletons count={2} className="h-16" />
        ) : (
          <Outcome simulation={data} link={link} />
        )}
      </div>
    </Card>
  )
}
