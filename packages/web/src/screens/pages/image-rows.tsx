import { IMAGE_TYPES } from '../../forms/picked-files.ts'
import { TextField } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { Card } from '../../ui/screen.tsx'
import { newKey, type PageFormState } from './page-form.ts'
import { SortableRows } from './sortable-rows.tsx'

export function ImageRows({ form }: { readonly form: PageFormState }) {
  const { values, set, faults } = form
  const { images } = values
  const add = (files: readonly File[] | null): void =>
    set('images', [
      ...images,
      ...(files ?? []).map((file) => ({
        key: newKey(),
        id: undefined,
        file,
        src: URL.createObjectURL(file),
        title: '',
        isShown: true,
      })),
    ])
  const faultsOf = (index: number): string[] =>
    Object.entries(faults)
      .filter(([name]) => name === `images.${index}` || name.startsWith(`images.${index}.`))
      .flatMap(([, sentences]) => [...sentences])
  return (
    <Card title="Images" lead="A single image is shown large. Several images form a carousel.">
      <SortableRows
        rows={images}
        onRows={(rows) => set('images', rows)}
        nameOf={(_, index) => `image ${index + 1}`}
      >
        {(image, index, change) => (
          <div className="flex items-center gap-3">
            <img
              src={image.src}
              alt=""
              className="size-10 shrink-0 rounded-md border border-line object-cover"
            />
            <TextField
              label={`Title of image ${index + 1}`}
              hasHiddenLabel
              placeholder="Title, also used as alternative text"
              className="flex-1"
              value={image.title}
              onValue={(title) => change({ title })}
              faults={faultsOf(index)}
            />
          </div>
        )}
      </SortableRows>
      <FileDrop
        label="Add images"
        hasHiddenLabel
        isMultiple
        accept={IMAGE_TYPES}
        prompt="Drop images here, or"
        preview={null}
        onFile={add}
        faults={faults['images']}
      />
    </Card>
  )
}
