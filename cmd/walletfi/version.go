package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

const library = "github.com/walletfi/walletfi-go"

func newVersion(s streams) *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "The versions of the command, the library and Go", Args: noArgs,
		RunE: func(*cobra.Command, []string) error {
			info, _ := debug.ReadBuildInfo()
			tool, lib := versions(info)
			_, err := fmt.Fprintf(s.out, "walletfi %s\nwalletfi-go %s\n%s %s/%s\n",
				tool, lib, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// versions returns the command's version and the library's, as they were linked.
func versions(info *debug.BuildInfo) (tool, lib string) {
	tool, lib = "unknown", "unknown"
	if info == nil {
		return tool, lib
	}
	if info.Main.Version != "" {
		tool = info.Main.Version
	}
	for _, module := range info.Deps {
		if module.Path != library {
			continue
		}
		if module.Replace != nil {
			module = module.Replace
		}
		if module.Version != "" {
			lib = module.Version
		}
	}
	return tool, lib
}
