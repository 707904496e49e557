export { generateMetadata, LiabilityPage as default } from "@/app/_panels/liability";
