import { type ComponentProps, createElement } from "react";

type IconData = {
  name: string;
  node: readonly (readonly [tag: string, attributes: Record<string, string>])[];
};

function Icon({ node, className, ...props }: ComponentProps<"svg"> & Pick<IconData, "node">) {
  return createElement(
    "svg",
    { viewBox: "0 0 24 24", className: className ? `lucide ${className}` : "lucide", ...props },
    node.map(([tag, attributes]) => createElement(tag, attributes)),
  );
}

/**
 * Takes the place of lucide-react's function of this name in the build (next.config.ts). Lucide's icons are client
 * components: a page would carry each one's shape as data besides its HTML, with ten attributes that here are one class
 * (app/globals.css).
 */
export default function createLucideIcon({ node }: IconData) {
  return (props: ComponentProps<"svg">) => createElement(Icon, { node, ...props });
}
