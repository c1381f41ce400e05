import type { Workspace } from '@waymark/sdk'
import { calls } from '@waymark/sdk/calls'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { api, sentenceOf } from '../../api/client.ts'
import { confirmItIsYou } from '../../api/sign-in-again.ts'
import {
  useMay,
  useRoleReason,
  useWorkspace,
  workspacesChanged,
  workspacesLeft,
} from '../../api/workspaces.ts'
import { FormFailure } from '../../forms/form-failure.tsx'
import { Form } from '../../forms/form.tsx'
import { useForm } from '../../forms/use-form.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { SwitchField } from '../../ui/choices.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { May, RoleNotice } from '../../ui/may.tsx'
import { Notice } from '../../ui/notice.tsx'
import { counted } from '../../ui/numbers.ts'
import { Card } from '../../ui/screen.tsx'
import { dayOf } from '../../ui/times.ts'
import { openDownload } from '../codes/save-file.ts'
import { LeaveButton } from './leave-workspace.tsx'

export function WorkspaceSettings() {
  const workspace = useWorkspace()
  if (workspace === undefined) return <Notice kind="info">You are not in a workspace.</Notice>
  return (
    <>
      <General key={workspace.updated_at} workspace={workspace} />
      <May does="takeout">
        <Card
          title="Download the data"
          lead="One archive (.tar.gz) with the links, codes, pages, clicks and files of this workspace."
        >
          <TakeoutButton />
        </Card>
      </May>
      <Card
        title="Leave workspace"
        lead="You lose access. What you created stays in the workspace. The last owner cannot leave."
      >
        <LeaveButton label="Leave this workspace" />
      </Card>
      <Removal workspace={workspace} />
    </>
  )
}

/** The browser downloads the archive itself, so a missing proof of identity is requested first. */
function TakeoutButton() {
  const [isBusy, setIsBusy] = useState(false)
  const download = async (): Promise<void> => {
    setIsBusy(true)
    try {
      const { data } = await api.reauthenticationMethods({})
      if (!data.required || (await confirmItIsYou())) openDownload(calls.takeout.path)
    } catch (error) {
      toast.failure(sentenceOf(error))
    } finally {
      setIsBusy(false)
    }
  }
  return (
    <Button icon={Download} isBusy={isBusy} onClick={() => void download()}>
      Download the data
    </Button>
  )
}

function General({ workspace }: { readonly workspace: Workspace }) {
  const may = useMay()
  const initial = { name: workspace.name, require_second_factor: workspace.require_second_factor }
  const form = useForm(initial, async (values) => {
    const { message } = await api.editWorkspace(values)
    toast.news(message)
    await workspacesChanged()
  })
  return (
    <Card
      title={workspace.name}
      lead={`${counted(workspace.members, 'member')}, created ${dayOf(workspace.created_at)}. Your role is ${workspace.role}.`}
    >
      <Form form={form}>
        <fieldset disabled={!may('editWorkspace')} className="space-y-5">
          <RoleNotice does="editWorkspace" lead="You cannot change these settings." />
          <FormFailure form={form} />
          <TextField label="Name" maxLength={60} autoComplete="off" {...form.text('name')} />
          <SwitchField
            label="Require two-step sign-in"
            hint="Members without a second factor cannot work in this workspace until they set one up."
            isOn={form.values.require_second_factor}
            onToggle={(isOn) => form.set('require_second_factor', isOn)}
          />
          <May does="editWorkspace">
            <Button look="primary" type="submit" isBusy={form.isBusy}>
              Save workspace
            </Button>
          </May>
        </fieldset>
      </Form>
    </Card>
  )
}

function Removal({ workspace }: { readonly workspace: Workspace }) {
  const [isOpen, setIsOpen] = useState(false)
  const may = useMay()('removeWorkspace')
  const reason = useRoleReason('removeWorkspace')
  return (
    <Card
      title="Remove workspace"
      lead={may ? 'Its links, codes and pages stop working at once, and all its data is erased.' : reason}
    >
      <Button look="quiet-danger" disabled={!may} onClick={() => setIsOpen(true)}>
        Remove this workspace
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setIsOpen(false)} title="Remove workspace">
        <RemovalForm workspace={workspace} />
      </Dialog>
    </Card>
  )
}

function RemovalForm({ workspace }: { readonly workspace: Workspace }) {
  const [typed, setTyped] = useState('')
  const form = useForm({}, async () => {
    const { message } = await api.removeWorkspace({})
    await workspacesLeft()
    toast.news(message)
  })
  return (
    <Form form={form} className="space-y-5">
      <Notice kind="danger">
        All short links and printed QR codes of this workspace stop working, for every member. This cannot be
        undone.
      </Notice>
      <FormFailure form={form} />
      <TextField
        label={`Type ${workspace.name} to confirm`}
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onValue={setTyped}
      />
      <Button
        look="danger"
        type="submit"
        isBusy={form.isBusy}
        disabled={typed.trim() !== workspace.name.trim()}
        className="w-full"
      >
        Remove workspace and all its data
      </Button>
    </Form>
  )
}
