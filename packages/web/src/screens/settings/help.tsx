import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { profileQuery } from '../../api/account.ts'
import { api } from '../../api/client.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { orNull } from '../../forms/or-null.ts'
import { useForm } from '../../forms/use-form.ts'
import { forgetSession } from '../../shell/session.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea, TextField } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Notice } from '../../ui/notice.tsx'
import { lengthOf } from '../../ui/numbers.ts'
import { Card } from '../../ui/screen.tsx'
import { UploadBar, useUploadProgress } from '../../ui/upload-progress.tsx'

export function HelpSettings() {
  return (
    <>
      <FeedbackForm />
      <Leaving />
    </>
  )
}

interface FeedbackValues {
  feedback: string
  image: File | null
  preview: string | null
}

const noFeedback: FeedbackValues = { feedback: '', image: null, preview: null }

function FeedbackForm() {
  const upload = useUploadProgress()
  const form = useForm(noFeedback, async ({ feedback, image }) => {
    const { message } = await api.addFeedback(
      { feedback, ...(image === null ? {} : { image }) },
      upload.options,
    )
    toast.news(message)
    return noFeedback
  })
  return (
    <Card title="Feedback" lead="Tell the administrator of this server what is missing or does not work.">
      <Form form={form} className="space-y-5">
        <FormFailure form={form} />
        <TextArea
          label="Message"
          hint={`${lengthOf(form.values.feedback)} of 250`}
          {...form.text('feedback')}
        />
        <FileDrop
          label="Screenshot"
          isOptional
          accept="image/*"
          prompt="Drop a screenshot here, or"
          preview={form.values.preview}
          faults={form.faults['image']}
          onFile={(files) =>
            form.setValues((before) => ({
              ...before,
              image: files?.[0] ?? null,
              preview: files?.[0] === undefined ? null : URL.createObjectURL(files[0]),
            }))
          }
        />
        <UploadBar share={upload.share} />
        <Button look="primary" type="submit" isBusy={form.isBusy}>
          Send feedback
        </Button>
      </Form>
    </Card>
  )
}

function Leaving() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Card
      title="Delete account"
      lead="Workspaces without other members are removed with it: their links, codes and pages stop working at once. This cannot be undone."
    >
      <Button look="quiet-danger" onClick={() => setIsOpen(true)}>
        Delete my account
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title="Delete account">
        <RemovalForm />
      </Dialog>
    </Card>
  )
}

function RemovalForm() {
  const { data: profile } = useQuery(profileQuery)
  const [typed, setTyped] = useState('')
  const form = useForm({ reason: '' }, async ({ reason }) => {
    // The API requires a reason, but the dashboard does not.
    const { message } = await api.removeAccount({ reason: orNull(reason) ?? 'No reason given' })
    forgetSession()
    toast.news(message)
  })
  const email = profile?.email ?? ''
  return (
    <Form form={form} className="space-y-5">
      <Notice kind="danger">
        All your short links and printed QR codes stop working. This cannot be undone.
      </Notice>
      <FormFailure form={form} />
      <TextArea label="Why are you leaving?" isOptional rows={2} {...form.text('reason')} />
      <TextField
        label={`Type ${email} to confirm`}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onValue={setTyped}
      />
      <Button
        look="danger"
        type="submit"
        isBusy={form.isBusy}
        disabled={email === '' || typed.trim().toLowerCase() !== email.toLowerCase()}
        className="w-full"
      >
        Delete account and all data
      </Button>
    </Form>
  )
}
