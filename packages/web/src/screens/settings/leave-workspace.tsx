import { useState } from 'react'
import { api } from '../../api/client.ts'
import { useWorkspace, workspacesLeft } from '../../api/workspaces.ts'
import { toast } from '../../shell/toasts.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'

/** Leaves the workspace of this tab, after a question. */
export function LeaveButton({ label = 'Leave' }: { readonly label?: string }) {
  const workspace = useWorkspace()
  const [isAsked, setIsAsked] = useState(false)
  return (
    <>
      <Button look="quiet-danger" onClick={() => setIsAsked(true)}>
        {label}
      </Button>
      <Confirm
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title="Leave this workspace?"
        action="Leave workspace"
        onConfirm={async () => {
          const { message } = await api.leaveWorkspace({ uuid: workspace?.uuid ?? '' })
          await workspacesLeft()
          toast.news(message)
        }}
      >
        <p>
          You can no longer open <strong className="text-ink">{workspace?.name}</strong>. API keys and access
          tokens that you created in it stop working. To come back you need a new invitation.
        </p>
      </Confirm>
    </>
  )
}
