import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../check.ts';
import { runIn } from '../run-in.ts';

/** What an image says about its containers, as `docker inspect` has it. */
export interface ImageConfig {
  readonly User: string;
  /** `NAME=value`. */
  readonly Env: readonly string[];
  readonly Cmd: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly WorkingDir: string;
  /** Paths. */
  readonly Volumes: Readonly<Record<string, object>>;
  readonly Healthcheck?: { readonly Test: readonly string[] };
}

/** buildah with images of its own, in the folder of a check: no image of this machine is seen, changed or shadowed. */
export class ImageStore {
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  /** Runs `buildah WORDS` and returns what it printed. */
  run(...words: readonly string[]): Promise<string> {
    return this.#place.run('buildah', ...this.#options(), ...words);
  }

  async configOf(image: string): Promise<ImageConfig> {
    const { Docker: docker } = JSON.parse(await this.run('inspect', '--type', 'image', image)) as {
      readonly Docker: { readonly config: ImageConfig };
    };
    return docker.config;
  }

  /** `359 MB`. */
  async sizeOf(image: string): Promise<string> {
    return (await this.run('images', '--format', '{{.Size}}', image)).trim();
  }

  /** Makes the file system of a new container and returns its root. Changes of the container are kept apart from the image. */
  async mount(image: string, name: string): Promise<string> {
    await this.run('from', '--pull=never', '--name', name, image);
    return (await this.run('mount', name)).trim();
  }

  /** Removes all containers and images, so that the folder can be removed; also after the check was stopped. */
  async remove(): Promise<void> {
    if (!existsSync(join(this.#place.folder, 'store'))) return;
    for (const words of [
      ['rm', '--all'],
      ['rmi', '--all', '--force'],
    ]) {
      await runIn(this.#place.folder, ['buildah', ...this.#options(), ...words]);
    }
  }

  #options(): readonly string[] {
    const { folder } = this.#place;
    return ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
  }
}
