import { useQuery } from '@tanstack/react-query'
import { seriesQuery } from '../api/analytics.ts'
import type { RemovalQuestion } from '../api/removal-question.ts'
import { rangeOf } from '../screens/statistics/ranges.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Notice } from '../ui/notice.tsx'
import { counted } from '../ui/numbers.ts'

/** Resources that may be printed: the codes themselves, or those of pages. */
const printedName = (what: string, isOne: boolean): string => {
  if (what === 'page') return isOne ? 'its QR code' : 'their QR codes'
  return isOne ? 'this code' : 'these codes'
}

/** Shows the consequences before items in use are moved to the trash. */
export function RemovalDialog({ uuids, what, visits, visit, mayBePrinted, answer }: RemovalQuestion) {
  const [only] = uuids
  const isOne = uuids.length === 1
  const month = useQuery({ ...seriesQuery({ uuid: only }, rangeOf('30d')), enabled: isOne && visits > 0 })
  const recent = month.data?.totals.clicks
  const used = isOne && recent !== undefined ? `${counted(recent, visit)} in the last 30 days` : null
  const stakes = [
    visits === 0 ? null : (used ?? `${counted(visits, visit)} so far`),
    mayBePrinted ? `${printedName(what, isOne)} may be printed` : null,
  ].filter((part) => part !== null)
  const sentence = stakes.join('; ')
  return (
    <Dialog
      isOpen
      onClose={() => answer(false)}
      title={`Remove ${isOne ? `this ${what}` : counted(uuids.length, what)}?`}
      footer={
        <>
          <Button look="ghost" onClick={() => answer(false)}>
            Cancel
          </Button>
          <Button look="danger" onClick={() => answer(true)}>
            Move to trash
          </Button>
        </>
      }
    >
      <div className="space-y-3 text-muted">
        <Notice kind="warn">{`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`}</Notice>
        <p>
          {isOne ? 'It stops' : 'They stop'} working at once. You can restore {isOne ? 'it' : 'them'} from the
          trash for 30 days.
        </p>
      </div>
    </Dialog>
  )
}
