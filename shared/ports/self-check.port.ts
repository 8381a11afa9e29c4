export interface SelfCheckPort {
  /** Whether the store answers. Asked often, it looks every few seconds. Never rejects. */
  storeAnswers(): Promise<boolean>;
}
