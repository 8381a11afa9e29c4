import { monotonic } from '#shared/kernel/clock.ts';

type Step = { readonly title: string; readonly ms: number; readonly trouble?: string };

/** What was tried and what came of it, printed as it happens. */
export class Report {
  readonly #steps: Step[] = [];
  readonly #phases: { readonly name: string; readonly ms: number }[] = [];
  readonly #facts: string[] = [];

  /** A step that fails does not end the drill: later ones say more about the cause. */
  async step<T>(title: string, work: () => Promise<T> | T): Promise<T | undefined> {
    const started = monotonic();
    try {
      const result = await work();
      this.#add({ title, ms: monotonic() - started });
      return result;
    } catch (error) {
      this.#add({ title, ms: monotonic() - started, trouble: error instanceof Error ? error.message : String(error) });
      return undefined;
    }
  }

  /** A step without which nothing else makes sense. */
  async must<T>(title: string, work: () => Promise<T>): Promise<T> {
    const started = monotonic();
    const result = await work();
    this.#add({ title, ms: monotonic() - started });
    return result;
  }

  async phase<T>(name: string, work: () => Promise<T>): Promise<T> {
    const started = monotonic();
    process.stdout.write(`\n# ${name}\n`);
    try {
      return await work();
    } finally {
      this.#phases.push({ name, ms: monotonic() - started });
    }
  }

  fact(text: string): void {
    this.#facts.push(text);
    process.stdout.write(`       ${text}\n`);
  }

  /** Prints the end of the report. Returns how many steps failed. */
  end(): number {
    const failed = this.#steps.filter(({ trouble }) => trouble !== undefined);
    const lines = [
      '',
      '# Report',
      ...this.#phases.map(({ name, ms }) => `${seconds(ms)}  ${name}`),
      ...this.#facts.map((fact) => `        ${fact}`),
      `${this.#steps.length - failed.length} steps passed, ${failed.length} failed.`,
      ...failed.map(({ title, trouble }) => `FAILED  ${title}: ${trouble}`),
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    return failed.length;
  }

  #add(step: Step): void {
    this.#steps.push(step);
    const mark = step.trouble === undefined ? 'ok  ' : 'FAIL';
    process.stdout.write(`${mark} ${seconds(step.ms)}  ${step.title}${step.trouble ? `: ${step.trouble}` : ''}\n`);
  }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1).padStart(6)} s`;
