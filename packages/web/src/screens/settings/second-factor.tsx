import { useQuery } from '@tanstack/react-query'
import { drawQr, toSvg } from '@waymark/codes'
import { useId, useMemo, useState } from 'react'
import { profileQuery, secondFactorsQuery } from '../../api/account.ts'
import { workspacesQuery } from '../../api/workspaces.ts'
import { api, sentenceOf } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Failure } from '../../ui/failure.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/screen.tsx'
import { ago } from '../../ui/times.ts'
import { Passkeys } from './passkeys.tsx'
import { SvgPicture } from '../../screens/codes/svg-picture.tsx'
import { ShownOnce } from './shown-once.tsx'

type Setup = Awaited<ReturnType<typeof api.setUpTotp>>['data']
type Asked = 'removal' | 'codes' | null

const QR_SIZE = 240

/** With a first factor, workspaces that require one become accessible. */
const reload = () => queryClient.invalidateQueries()

/** The authenticator app, the passkeys and the recovery codes of the user. */
export function SecondFactor() {
  const query = useQuery(secondFactorsQuery)
  const [setup, setSetup] = useState<Setup | null>(null)
  const [codes, setCodes] = useState<readonly string[] | null>(null)
  const [asked, setAsked] = useState<Asked>(null)
  const [isBusy, setIsBusy] = useState(false)
  const begin = async (): Promise<void> => {
    setIsBusy(true)
    try {
      setSetup((await api.setUpTotp({})).data)
    } catch (error) {
      toast.failure(sentenceOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  const showCodes = (made: readonly string[]): void => {
    setSetup(null)
    setCodes(made)
    void reload()
  }
  const { data } = query
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  const requiring = workspaces.filter(({ require_second_factor }) => require_second_factor)
  return (
    <Card
      title="Two-step sign-in"
      lead="After your password, signing in asks for a code from an app on your phone, or for a passkey. A passkey also signs you in alone, without a password."
    >
      {query.isError && <Failure error={query.error} onRetry={() => void query.refetch()} />}
      {data !== undefined && !data.totp && data.passkeys.length === 0 && requiring.length > 0 && (
        <div className="mb-4">
          <Notice kind="warn">
            Required by: {requiring.map(({ name }) => name).join(', ')}. Set up a second factor to continue.
          </Notice>
        </div>
      )}
      {data?.totp === false && (
        <Button look="primary" isBusy={isBusy} onClick={() => void begin()}>
          Set up an authenticator app
        </Button>
      )}
      {data?.totp === true && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <div className="min-w-0 flex-1">
            <p className="font-semibold">Authenticator app</p>
            <p className="text-sm text-muted">Set up {ago(data.totp_since ?? '')}</p>
          </div>
          <Button onClick={() => setAsked('removal')}>Remove</Button>
        </div>
      )}
      {data !== undefined && <Passkeys factors={data} onCodes={showCodes} onChanged={reload} />}
      {data !== undefined && (data.totp || data.passkeys.length > 0) && (
        <div className="mt-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line pt-4">
          <div className="min-w-0 flex-1">
            <p className="font-semibold">Recovery codes</p>
            <p className="text-sm text-muted">{data.recovery_codes_left} of 10 recovery codes left</p>
          </div>
          <Button onClick={() => setAsked('codes')}>New recovery codes</Button>
        </div>
      )}
      {setup !== null && <SetupDialog setup={setup} onClose={() => setSetup(null)} onDone={showCodes} />}
      {codes !== null && <CodesDialog codes={codes} onClose={() => setCodes(null)} />}
      <Confirm
        isOpen={asked === 'removal'}
        onClose={() => setAsked(null)}
        title="Remove authenticator app"
        action="Remove"
        onConfirm={async () => {
          toast.news((await api.removeTotp({})).message)
          await reload()
        }}
      >
        {data?.passkeys.length === 0
          ? 'Signing in will no longer ask for a second factor. Your recovery codes are removed, too.'
          : 'Your passkeys and recovery codes stay.'}
      </Confirm>
      <Confirm
        isOpen={asked === 'codes'}
        onClose={() => setAsked(null)}
        title="New recovery codes"
        action="Create codes"
        onConfirm={async () => showCodes((await api.replaceRecoveryCodes({})).data.recovery_codes)}
      >
        The recovery codes that you have now will stop working.
      </Confirm>
    </Card>
  )
}

function SetupDialog({
  setup,
  onClose,
  onDone,
}: {
  readonly setup: Setup
  readonly onClose: () => void
  readonly onDone: (codes: readonly string[]) => void
}) {
  const formId = useId()
  const svg = useMemo(() => toSvg(drawQr({ text: setup.otpauth_url, size: QR_SIZE })), [setup.otpauth_url])
  const form = useForm({ code: '' }, async (values) => {
    onDone((await api.confirmTotp(values)).data.recovery_codes)
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Set up an authenticator app"
      footer={
        <>
          <Button look="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" form={formId} isBusy={form.isBusy}>
            Switch on
          </Button>
        </>
      }
    >
      <Form id={formId} form={form} className="space-y-5">
        <p className="text-muted">Scan this QR code with your app, then enter the code that the app shows.</p>
        <div className="mx-auto max-w-60 overflow-hidden rounded-lg border border-line">
          <SvgPicture svg={svg} label="QR code for your authenticator app" />
        </div>
        <ShownOnce label="Or enter this key" value={setup.secret} />
        <FormFailure form={form} />
        <TextField
          label="Code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          {...form.text('code')}
        />
      </Form>
    </Dialog>
  )
}

function CodesDialog({
  codes,
  onClose,
}: {
  readonly codes: readonly string[]
  readonly onClose: () => void
}) {
  const [isStored, setIsStored] = useState(false)
  const text = codes.join('\n')
  const email = queryClient.getQueryData(profileQuery.queryKey)?.email ?? ''
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Recovery codes"
      isLocked={!isStored}
      footer={
        <Button look="primary" onClick={onClose}>
          {isStored ? 'Done' : 'I have stored them'}
        </Button>
      }
    >
      <div className="space-y-5">
        <Notice kind="warn">
          Store these codes now. They are not shown again. If you lose your phone, each of them signs you in
          once.
        </Notice>
        <div data-print>
          <p className="mb-3 hidden font-semibold print:block">
            Recovery codes for {email} at {location.host}
          </p>
          <pre
            tabIndex={0}
            aria-label="Recovery codes"
            className="overflow-x-auto rounded-md bg-sunken p-4 font-mono text-sm leading-relaxed"
          >
            {text}
          </pre>
        </div>
        <div className="flex flex-wrap gap-2">
          <CopyButton text={text} what="recovery codes" onCopied={() => setIsStored(true)} />
          <Button
            look="ghost"
            onClick={() => {
              setIsStored(true)
              print()
            }}
          >
            Print
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
