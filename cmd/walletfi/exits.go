package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

// exits are the statuses of each command besides 0, 1 and 2, which every one has.
var exits = map[string][]status{
	"explain":          {statusRefused, statusMalformed, statusNetwork, statusSecret},
	"verify-webhook":   {statusMalformed, statusSignature, statusSecret},
	"journal show":     {statusMalformed},
	"journal list":     {statusMalformed},
	"journal verify":   {statusMalformed},
	"init":             {statusMalformed},
	"doctor":           {statusDiffers},
	"sandbox":          {statusMalformed, statusNetwork, statusViolations},
	"sandbox record":   {statusMalformed, statusNetwork, statusDiffers},
	"deployment check": {statusMalformed},
	"deployment init":  {},
	"deployment try":   {statusMalformed, statusSecret, statusDiffers},
	"trace":            {statusMalformed},
	"trigger":          {statusMalformed, statusNetwork, statusSecret, statusDiffers},
	"listen":           {statusMalformed, statusNetwork, statusSecret},
	"version":          {},
	"exit-status":      {},
}

// helpWithExits is cobra's help with the statuses of the command at the end.
const helpWithExits = `{{with .Annotations.exits}}
Exit statuses:
{{.}}{{end}}`

// stateExits gives each command of a tree its statuses.
func stateExits(root *cobra.Command) {
	for path, extra := range exits {
		cmd, _, err := root.Find(strings.Fields(path))
		if err != nil || cmd.CommandPath() != root.Name()+" "+path {
			panic("there is no command " + path)
		}
		var b strings.Builder
		for _, m := range meanings {
			if m.Status <= statusUsage || slices.Contains(extra, m.Status) {
				fmt.Fprintf(&b, "  %d  %s\n", m.Status, m.Text)
			}
		}
		cmd.Annotations = map[string]string{"exits": b.String()}
	}
	root.SetHelpTemplate(root.HelpTemplate() + helpWithExits)
}
