import { WaymarkError } from '@waymark/sdk'
import {
  type Dispatch,
  type FormEvent,
  type SetStateAction,
  useCallback,
  useEffect,
  useRef,
  useState,
} from 'react'
import { sentenceOf } from '../api/client.ts'
import { noticeFailure } from '../api/query-client.ts'
import { type FieldFaults, InvalidInput } from './invalid-input.ts'
import { merge } from './merge.ts'
import { snapshot } from './snapshot.ts'
import { trackForm } from './unsaved-work.ts'

const NO_FAULTS: FieldFaults = {}

/** Whether the values differ from the initial ones or the last saved ones. */
function useIsChanged(values: object): { isChanged: () => boolean; markSaved: (saved: object) => void } {
  const latest = useRef(values)
  const [initial] = useState(() => snapshot(values))
  const saved = useRef(initial)
  useEffect(() => {
    latest.current = values
  })
  const isChanged = useCallback(() => snapshot(latest.current) !== saved.current, [])
  useEffect(() => trackForm(isChanged), [isChanged])
  const markSaved = useCallback((values: object) => {
    saved.current = snapshot(values)
  }, [])
  return { isChanged, markSaved }
}

/**
 * A form that only the server validates: its messages are assigned by field name, so rules exist only once.
 *
 * `send` may return the values after the save. They replace what was sent, but not what was typed during the request.
 */
export function useForm<V extends object>(
  initial: V,
  send: (values: V, setValues: Dispatch<SetStateAction<V>>) => Promise<V | void>,
) {
  const [values, setValues] = useState(initial)
  const [faults, setFaults] = useState<FieldFaults>(NO_FAULTS)
  const [failure, setFailure] = useState<string | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const [rejections, setRejections] = useState(0)
  const { isChanged, markSaved } = useIsChanged(values)

  const set = useCallback(<K extends keyof V & string>(name: K, value: V[K]) => {
    setValues((before) => ({ ...before, [name]: value }))
    setFaults((before) => (before[name] === undefined ? before : { ...before, [name]: [] }))
  }, [])

  const reject = useCallback((error: unknown, isQuiet: boolean) => {
    noticeFailure(error)
    const fields = error instanceof WaymarkError || error instanceof InvalidInput ? error.errors : NO_FAULTS
    setFaults(fields)
    setFailure(sentenceOf(error))
    if (!isQuiet) setRejections((count) => count + 1)
  }, [])

  /** Quietly: a rejection does not move the focus. */
  const submit = async (event?: FormEvent, isQuiet = false): Promise<void> => {
    event?.preventDefault()
    if (isBusy) return
    setIsBusy(true)
    setFailure(null)
    setFaults(NO_FAULTS)
    try {
      const saved = await send(values, setValues)
      if (saved !== undefined)
        setValues((typed) => merge({ base: values, mine: typed, theirs: saved }, ({ mine }) => mine))
      markSaved(saved ?? values)
    } catch (error) {
      reject(error, isQuiet)
    } finally {
      setIsBusy(false)
    }
  }

  return {
    values,
    set,
    setValues,
    faults,
    failure,
    isBusy,
    /** Whether it has unsaved input. */
    isChanged,
    /** How often the server has rejected it; `Form` moves the focus each time. */
    rejections,
    onSubmit: (event: FormEvent) => void submit(event),
    submit,
    /** The properties of a text field for one of the values. */
    text: <K extends keyof V & string>(name: K) => ({
      name,
      value: String(values[name] ?? ''),
      onValue: (value: string) => set(name, value as V[K]),
      faults: faults[name],
    }),
  }
}
