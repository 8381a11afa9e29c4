/** How a figure differs from an earlier one. */
export type Change = {
  /** With its sign, such as +4.2 %. */
  readonly text: string;
  readonly direction: 'up' | 'down' | 'same';
  /** Whether this direction is good news. Undefined: neither. */
  readonly isGood?: boolean | undefined;
  /** What it is compared to. */
  readonly than: string;
};
