package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

const library = "github.com/walletfi/walletfi-go"

func newVersion(s streams) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "version", Short: "The versions of the command, the library and Go", Args: noArgs,
		Example: "  walletfi version --json",
		RunE: func(*cobra.Command, []string) error {
			if asJSON {
				info, _ := debug.ReadBuildInfo()
				tool, lib := versions(info)
				return s.printJSON(struct {
					Tool     string `json:"walletfi"`
					Library  string `json:"library"`
					Go       string `json:"go"`
					Platform string `json:"platform"`
				}{tool, lib, runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH})
			}
			_, err := io.WriteString(s.out, versionText())
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// versionText is printed by --version.
func versionText() string {
	info, _ := debug.ReadBuildInfo()
	tool, lib := versions(info)
	return fmt.Sprintf("walletfi %s\nwalletfi-go %s\n%s %s/%s\n",
		tool, lib, runtime.Version(), runtime.GOOS, runtime.GOARCH)
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
