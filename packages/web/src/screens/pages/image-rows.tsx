import { TextField } from '../../ui/field.tsx'
import { FileDrop } from '../../ui/file-drop.tsx'
import { useReorder } from '../../ui/reorder.ts'
import { Card } from '../../ui/screen.tsx'
import { type ImageValue, newKey, type PageFormState } from './page-form.ts'
import { RowFrame } from './row-frame.tsx'

export const IMAGE_TYPES = 'image/png,image/jpeg,image/gif,image/webp,image/avif'

export function ImageRows({ form }: { readonly form: PageFormState }) {
  const { values, set, faults } = form
  const { images } = values
  const { attach, dragged, announcement, handle } = useReorder(images, (next) => set('images', next))
  const change = (key: string, part: Partial<ImageValue>): void =>
    set(
      'images',
      images.map((image) => (image.key === key ? { ...image, ...part } : image)),
    )
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
      <p className="sr-only" aria-live="polite">
        {announcement}
      </p>
      <ul ref={attach} className="mb-3 space-y-2 empty:hidden">
        {images.map((image, index) => (
          <RowFrame
            key={image.key}
            handle={handle(index)}
            isDragged={dragged === index}
            isShown={image.isShown}
            name={`image ${index + 1}`}
            onShow={(isShown) => change(image.key, { isShown })}
            onRemove={() =>
              set(
                'images',
                images.filter(({ key }) => key !== image.key),
              )
            }
          >
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
                onValue={(title) => change(image.key, { title })}
                faults={faultsOf(index)}
              />
            </div>
          </RowFrame>
        ))}
      </ul>
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
