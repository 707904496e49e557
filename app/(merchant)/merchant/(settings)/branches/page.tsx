export { BranchesPage as default, branchesMetadata as generateMetadata } from "@/app/_panels/branches";
