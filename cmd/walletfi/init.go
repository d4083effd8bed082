package main

import (
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// skeleton is examples/live, the program of docs/going-live.md, with .txt after each name.
//
//go:embed skeleton
var skeleton embed.FS

const initLong = `init writes the program of docs/going-live.md into a new folder DIR: a bot that deposits with a
lending service and withdraws again, with its config live.json, and tests that run it against
the sandbox. It overwrites nothing, asks no network and writes no secret.`

// modulePath is a module's path that needs no quotes.
var modulePath = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._~/-]*$`)

func newInit(s streams) *cobra.Command {
	module, asJSON := "bot", false
	cmd := &cobra.Command{
		Use: "init DIR", Short: "Write a program's skeleton with its config and tests", Long: initLong,
		Example: "  walletfi init ../bot --module example.com/bot", Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			if !modulePath.MatchString(module) {
				return usage("--module: %q is no path of a module", module)
			}
			names, err := writeSkeleton(args[0], module)
			if err != nil {
				return as(statusMalformed, err)
			}
			if asJSON {
				return s.printJSON(map[string]any{"dir": args[0], "files": names})
			}
			_, err = fmt.Fprintf(s.out, "%s: files %d\nNext: edit live.json there, then run go mod tidy and go test ./...\n",
				plain(args[0]), len(names))
			return err
		},
	}
	cmd.Flags().StringVar(&module, "module", module, "the `path` of its module")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// writeSkeleton writes the files into a folder that is not there yet.
func writeSkeleton(dir, module string) (names []string, err error) {
	entries, err := skeleton.ReadDir("skeleton")
	if err != nil {
		return nil, err
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		return nil, err
	}
	write := func(name string, text []byte) {
		if err == nil {
			names, err = append(names, name), os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
	}
	for _, entry := range entries {
		text, bad := skeleton.ReadFile("skeleton/" + entry.Name())
		if bad != nil {
			return nil, bad
		}
		name := strings.TrimSuffix(entry.Name(), ".txt")
		write(name, text)
		if name == "live.example.json" {
			write("live.json", text)
		}
	}
	mod := "module " + module + "\n\ngo 1.26.0\n"
	info, _ := debug.ReadBuildInfo()
	if _, version := versions(info); strings.HasPrefix(version, "v") {
		mod += "\nrequire " + library + " " + version + "\n"
	}
	write("go.mod", []byte(mod))
	return names, err
}
