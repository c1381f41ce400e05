import { useId } from 'react'
import { api } from '../api/client.ts'
import { workspacesChanged } from '../api/workspaces.ts'
import { FormFailure } from '../forms/form-failure.tsx'
import { Form } from '../forms/form.tsx'
import { useForm } from '../forms/use-form.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { toast } from './toasts.ts'
import { useSwitchWorkspace } from './workspace-menu.tsx'

/** Creates a workspace and switches to it. */
export function NewWorkspaceDialog({ onClose }: { readonly onClose: () => void }) {
  const formId = useId()
  const switchTo = useSwitchWorkspace()
  const form = useForm({ name: '' }, async ({ name }) => {
    const { data, message } = await api.createWorkspace({ name })
    await workspacesChanged()
    onClose()
    await switchTo(data.uuid)
    toast.news(message)
  })
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Create workspace"
      footer={
        <>
          <Button look="ghost" onClick={onClose}>
            Cancel
          </Button>
          <Button look="primary" type="submit" form={formId} isBusy={form.isBusy}>
            Create workspace
          </Button>
        </>
      }
    >
      <Form id={formId} form={form} className="space-y-5">
        <p className="text-muted">
          A workspace has its own links, codes, pages, domains, API keys and members.
        </p>
        <FormFailure form={form} />
        <TextField
          label="Name"
          placeholder="River Festival"
          maxLength={60}
          autoComplete="off"
          {...form.text('name')}
        />
      </Form>
    </Dialog>
  )
}
