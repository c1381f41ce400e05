import { useQuery } from '@tanstack/react-query'
import type { Link } from '@waymark/sdk'
import { FlaskConical, Plus } from 'lucide-react'
import { useState } from 'react'
import { breakdownQuery } from '../../../api/analytics.ts'
import { api, sentenceOf } from '../../../api/client.ts'
import { FormFailure } from '../../../forms/form-failure.tsx'
import { Form } from '../../../forms/form.tsx'
import { useRowForm } from '../../../forms/use-row-form.ts'
import { useUnsavedGuard } from '../../../forms/use-unsaved-guard.ts'
import { toast } from '../../../shell/toasts.ts'
import { Button } from '../../../ui/button.tsx'
import { MayEdit } from '../../../ui/may.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Card, EmptyState } from '../../../ui/screen.tsx'
import { DAY_MS } from '../../../ui/times.ts'
import { linkSaved } from '../link-saved.ts'
import { VariantRow } from './variant-row.tsx'
import {
  addVariant,
  MOST_VARIANTS,
  nameOfVariantField,
  sentVariants,
  splitEvenly,
  sumOf,
  type Variant,
  type VariantValue,
  variantValuesOf,
} from './variant-values.ts'

const UNDO_MS = 10_000
const COUNTED_DAYS = 30

/** Clicks of each variant in the last 30 days. */
function useClicks(link: Link): ReadonlyMap<string, number> {
  const [from] = useState(() => new Date(Date.now() - COUNTED_DAYS * DAY_MS).toISOString().slice(0, 10))
  const { data } = useQuery({
    ...breakdownQuery({ uuid: link.uuid }, { from, interval: 'day' }, {}, 'variant'),
    enabled: link.variants.length > 0,
  })
  return new Map((data ?? []).map(({ value, clicks }) => [value, clicks]))
}

/** Makes the winner the destination of the link. The history has the previous state. */
async function declareWinner(
  link: Link,
  { name, url }: Variant,
  onReplaced: (link: Link) => void,
): Promise<void> {
  const save = async (variants: readonly Variant[], destination: string, seen?: Link): Promise<void> => {
    const body = { uuid: link.uuid, link: destination, variants: [...variants] }
    const { data } = await api.editLinks(body, seen === undefined ? undefined : { ifMatch: seen })
    linkSaved(data)
    onReplaced(data)
  }
  const report = (error: unknown): number => toast.failure(sentenceOf(error))
  try {
    await save([], url, link)
    toast.undoable(`${name} is the destination now`, UNDO_MS, () => {
      save(link.variants, link.link).catch(report)
    })
  } catch (error) {
    report(error)
  }
}

/** Two to five destinations that share the visitors. */
export function VariantsView({ link }: { readonly link: Link }) {
  const [replaced, setReplaced] = useState<Link | null>(null)
  const newest = replaced !== null && replaced.updated_at > link.updated_at ? replaced : link
  // Changes outside of the form start a new form.
  return <VariantsForm key={replaced?.updated_at} link={newest} onReplaced={setReplaced} />
}

function VariantsForm({
  link,
  onReplaced,
}: {
  readonly link: Link
  readonly onReplaced: (link: Link) => void
}) {
  const [initial] = useState(() => variantValuesOf(link))
  const clicks = useClicks(link)
  const form = useRowForm(link, {
    initial,
    valuesOf: variantValuesOf,
    nameOf: nameOfVariantField,
    create: () => Promise.reject(new Error('Variants belong to a link')),
    edit: async (row, values) =>
      api.editLinks(
        { uuid: row.uuid, link: row.link, variants: sentVariants(values, row) },
        { ifMatch: row },
      ),
    onSaved: ({ data }) => {
      linkSaved(data)
      toast.news('Variants saved')
      return variantValuesOf(data)
    },
  })
  useUnsavedGuard(form)
  const { variants } = form.values
  const setVariants = (next: readonly VariantValue[]): void => form.set('variants', next)
  const add = (label: string) => (
    <Button
      does="editLinks"
      icon={Plus}
      disabled={variants.length >= MOST_VARIANTS}
      onClick={() => setVariants(addVariant(variants, link.link))}
    >
      {label}
    </Button>
  )
  if (variants.length === 0 && link.variants.length === 0)
    return (
      <EmptyState
        picture={<FlaskConical aria-hidden size={48} strokeWidth={1.2} />}
        title="No variants yet"
        action={add('Start a test')}
      >
        Share the visitors between two to five destinations. A visitor always sees the same one. When you know
        which works best, declare it the winner.
      </EmptyState>
    )
  const sum = sumOf(variants)
  return (
    <Card
      title="Variants"
      lead="Visitors are split between the variants instead of going to the destination. A visitor always sees the same variant."
    >
      <Form form={form} className="space-y-4">
        <MayEdit does="editLinks" lead="You can look at the variants.">
          <div className="space-y-4">
            <FormFailure form={form} />
            {(form.faults['variants'] ?? []).length > 0 && (
              <Notice kind="danger">{form.faults['variants']?.join('. ')}</Notice>
            )}
            <ul className="space-y-3">
              {variants.map((variant, index) => {
                const saved = link.variants[variant.id]
                return (
                  <VariantRow
                    key={variant.key}
                    variant={variant}
                    index={index}
                    faults={form.faults}
                    clicks={saved === undefined ? undefined : (clicks.get(saved.name) ?? 0)}
                    onChange={(changed) =>
                      setVariants(variants.map((one) => (one.key === variant.key ? changed : one)))
                    }
                    onRemove={() =>
                      setVariants(splitEvenly(variants.filter(({ key }) => key !== variant.key)))
                    }
                    onWinner={
                      saved === undefined || link.owner !== null
                        ? undefined
                        : () => void declareWinner(link, saved, onReplaced)
                    }
                  />
                )
              })}
            </ul>
            <p
              aria-live="polite"
              className={`text-sm ${sum === 100 ? 'text-faint' : 'font-medium text-warn'}`}
            >
              {variants.length === 0
                ? 'If you save now, the link has no variants.'
                : `The shares add up to ${Number.isNaN(sum) ? '…' : sum} %.`}
            </p>
            <div className="flex flex-wrap items-center justify-between gap-3">
              <span className="flex gap-2">
                {add('Add variant')}
                <Button does="editLinks" look="ghost" onClick={() => setVariants(splitEvenly(variants))}>
                  Split evenly
                </Button>
              </span>
              <span className="flex gap-2">
                <Button does="editLinks" look="ghost" onClick={() => form.setValues(variantValuesOf(link))}>
                  Discard changes
                </Button>
                <Button does="editLinks" look="primary" type="submit" isBusy={form.isBusy}>
                  Save variants
                </Button>
              </span>
            </div>
          </div>
        </MayEdit>
      </Form>
    </Card>
  )
}
