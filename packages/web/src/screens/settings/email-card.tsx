import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { emailStatusQuery, profileQuery } from '../../api/account.ts'
import { api, sentenceOf } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Card } from '../../ui/screen.tsx'

/** The email address of the account: whether it is confirmed, and how to change it. */
export function EmailCard() {
  const { data: status } = useQuery(emailStatusQuery)
  const [isBusy, setIsBusy] = useState(false)
  const form = useForm({ email: '' }, async ({ email }) => {
    const { data, message } = await api.changeEmail({ email: email.trim() })
    queryClient.setQueryData(emailStatusQuery.queryKey, data)
    void queryClient.invalidateQueries({ queryKey: profileQuery.queryKey })
    toast.news(message)
    return { email: '' }
  })
  const resend = async (): Promise<void> => {
    setIsBusy(true)
    try {
      toast.news((await api.resendConfirmation({})).message)
    } catch (error) {
      toast.failure(sentenceOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Card title="Email address" lead={status?.email}>
      {status?.confirmed === false && (
        <Notice kind="warn" className="mb-5">
          <p className="mb-2">
            This address is not confirmed yet. Until it is, you cannot create API keys, domains or webhooks.
          </p>
          <Button isBusy={isBusy} onClick={() => void resend()}>
            Send the confirmation email again
          </Button>
        </Notice>
      )}
      {status?.pending_email != null && (
        <Notice kind="info" className="mb-5">
          Waiting for {status.pending_email} to be confirmed. {status.email} got a link that cancels the
          change.
        </Notice>
      )}
      <Form form={form} className="max-w-md space-y-5">
        <FormFailure form={form} />
        <TextField label="New email address" type="email" autoComplete="email" {...form.text('email')} />
        <Button type="submit" isBusy={form.isBusy} className="min-h-10">
          Change email
        </Button>
      </Form>
    </Card>
  )
}
