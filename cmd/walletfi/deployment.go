package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"github.com/walletfi/walletfi-go/deployment"
)

const deploymentLong = `deployment is for the file that says what a vendor's services differ in from the
documentation: their words, places, shapes and forms. The file's members are described
in docs/deployment-file.md.`

func newDeployment(s streams) *cobra.Command {
	return group(&cobra.Command{
		Use: "deployment", Short: "Write, check and try the file of a deployment", Long: deploymentLong,
	}, newDeploymentCheck(s), newDeploymentInit(s), newDeploymentTry(s))
}

// mostDeployment bounds the size of a deployment's file.
const mostDeployment = 4 << 20

func newDeploymentCheck(s streams) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "check FILE", Short: "Hold every word of a deployment against the documentation",
		Long: `check reads a deployment's file and holds every word in it against the documentation.
Each mistake is a line on standard error: file, line, word, and what is wrong.`,
		Example: "  walletfi deployment check acme.json",
		Args:    oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			d, err := s.readDeployment(args[0])
			if err != nil {
				return err
			}
			operations := 0
			for _, service := range d.Services {
				operations += len(service.Operations)
			}
			if asJSON {
				return s.printJSON(struct {
					File       string   `json:"file"`
					Services   []string `json:"services"`
					Operations int      `json:"operations"` // of their own
				}{args[0], slices.Sorted(maps.Keys(d.Services)), operations})
			}
			_, err = fmt.Fprintf(s.out, "%s: services %d, operations of their own %d, no mistake\n",
				args[0], len(d.Services), operations)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newDeploymentInit(s streams) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "init [SERVICE...]", Short: "Write a deployment's file with every documented word",
		Long: `init writes a deployment's file to standard output. Every documented word of the
services is in it as a comment: take the slashes away where the vendor's word is another.`,
		Example:           "  walletfi deployment init swap predictmeta > acme.json",
		ValidArgsFunction: cobra.FixedCompletions(services, cobra.ShellCompDirectiveNoFileComp),
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := deployment.Skeleton(args...)
			if err != nil {
				return as(statusUsage, err)
			}
			if asJSON {
				return s.printJSON(map[string]string{"file": string(text)})
			}
			_, err = s.out.Write(text)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with the file as a text")
	return cmd
}

// readDeployment reads and checks a file. Of several mistakes, all but the last are
// written to standard error; the error is the last.
func (s streams) readDeployment(name string) (*deployment.Deployment, error) {
	text, err := s.readFile(name, mostDeployment)
	if err != nil {
		return nil, err
	}
	shown := name
	if name == "-" {
		shown = "standard input"
	}
	d, err := deployment.Parse(shown, text)
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		mistakes := several.Unwrap()
		for _, mistake := range mistakes[:len(mistakes)-1] {
			fmt.Fprintf(s.err, "walletfi: %s\n", oneLine(mistake))
		}
		err = mistakes[len(mistakes)-1]
	}
	return d, as(statusMalformed, err)
}

// optionalDeployment is readDeployment; without a name there is none.
func (s streams) optionalDeployment(name string) (*deployment.Deployment, error) {
	if name == "" {
		return nil, nil
	}
	return s.readDeployment(name)
}

var errNoFile = errors.New("a FILE is needed")

func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return as(statusUsage, errNoFile)
	}
	return atMostOne(cmd, args)
}
