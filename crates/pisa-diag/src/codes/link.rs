//! Codes of linking, E06xx.

codes! {
    UNRESOLVED_IMPORT E0601 Error "import that no module exports",
    DUPLICATE_EXPORT E0602 Error "name exported by two modules",
    LINK_KIND E0603 Error "variable on one side, function on the other",
    LINK_SPACE E0604 Error "import and export in different address spaces",
    LINK_SIZE E0605 Error "import and export of different sizes",
    LINK_ALIGNMENT E0606 Error "import aligned more strictly than the export",
    LINK_SIGNATURE E0607 Error "import and export with different signatures",
    DUPLICATE_KERNEL E0608 Error "kernel defined by two modules",
    LINK_HOST_ACCESS E0611 Error "host name given by two modules",
}
