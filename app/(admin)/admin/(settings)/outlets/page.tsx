export { OutletsPage as default, outletsMetadata as generateMetadata } from "@/app/_panels/branches";
