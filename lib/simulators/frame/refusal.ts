import type { Call, Route, Work } from '#lib/simulators/frame/provider.port.ts';
import type { WireAnswer } from '#lib/simulators/frame/wire.ts';

/**
 * Thrown where a call ends with an answer that is none of success. What was written before stays, as the record of a
 * decline must.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly answer: WireAnswer;
  constructor(answer: WireAnswer) {
    super(`HTTP ${answer.status}`);
    this.answer = answer;
  }
}

export function answerOf(route: Route, call: Call, work: Work): WireAnswer {
  try {
    return route.run(call, work);
  } catch (error) {
    if (error instanceof Refusal) return error.answer;
    throw error;
  }
}
