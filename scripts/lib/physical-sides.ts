const physical =
  /(?<![\w-])(?:[\w[\]=.&>*/()-]+:)*-?((?:m|p|scroll-m|scroll-p)[lr]-[\w[\].%/-]+|(?:left|right)-[\w[\].%/-]+|text-(?:left|right)|float-(?:left|right)|clear-(?:left|right)|rounded-(?:l|r|tl|tr|bl|br)(?:-[\w[\]-]+)?|border-[lr](?:-[\w[\]-]+)?)(?![\w-])/g;

/** Class names of a physical side, where Arabic needs start and end. `physical-side:` and a reason allows one. */
export function physicalSides(path: string, source: string): string[] {
  return source.split("\n").flatMap((line, index) => {
    if (/physical-side: \S/.test(line)) return [];
    const strings = [...line.matchAll(/(["'`])((?:(?!\1).)*)\1/g)].map((found) => found[2] ?? "").join(" ");
    return [...strings.matchAll(physical)].map(
      (found) => `${path}:${index + 1}: ${found[1]} names a physical side; use start/end`,
    );
  });
}
