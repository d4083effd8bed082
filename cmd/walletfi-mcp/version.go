package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
)

// versionText is printed by --version.
func versionText() string {
	tool, library := versions()
	return fmt.Sprintf("walletfi-mcp %s\nwalletfi-go %s\n%s %s/%s\n",
		tool, library, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// versions returns the program's version and the library's, as they were linked.
func versions() (tool, library string) {
	tool, library = "unknown", "unknown"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return tool, library
	}
	tool = info.Main.Version
	for _, module := range info.Deps {
		if module.Path == "github.com/walletfi/walletfi-go" {
			library = module.Version
		}
	}
	return tool, library
}
