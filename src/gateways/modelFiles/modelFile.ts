/** A file that comes from a host, or an archive of several. Its sum is pinned wherever one is publicly known. */
export interface ModelFile {
  /** As it is called in the folder of its model; of an archive, the one folder in it. */
  readonly name: string;
  /** Below the host. */
  readonly path: string;
  /** What goes on after so many is another file. */
  readonly mostBytes: number;
  readonly sha256?: string | undefined;
  /** Set of a `.tar.bz2`: the files and folders below its folder that it has to hold. */
  readonly unpack?: readonly string[] | undefined;
}
