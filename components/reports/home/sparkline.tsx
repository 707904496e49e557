const WIDTH = 96;
const HEIGHT = 24;

/** A small line of values, oldest first, for a cell of a table; it is drawn on the server. In Arabic time runs leftwards. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const highest = Math.max(1, ...values);
  const step = WIDTH / Math.max(1, values.length - 1);
  const y = (value: number) => HEIGHT - 2 - (Math.max(0, value) / highest) * (HEIGHT - 4);
  const points = values
    .map((value, index) => `${Math.round(index * step)},${Math.round(y(value))}`)
    .join(" ");
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="inline-block h-6 w-24 stroke-chart-1 rtl:-scale-x-100"
      fill="none"
      strokeWidth="1.5"
      strokeLinejoin="round"
    >
      <polyline points={points} />
    </svg>
  );
}
