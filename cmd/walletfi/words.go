package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/walletfi/walletfi-go/internal/catalogue"
)

// services are the documented services.
var services = func() (names []string) {
	for _, s := range catalogue.Services() {
		names = append(names, s.Name)
	}
	return names
}()

// didYouMean ends an error with the known word that is most like a mistyped one, if any is.
func didYouMean(typed string, known ...string) string {
	words := &cobra.Command{SuggestionsMinimumDistance: 2}
	for _, word := range known {
		words.AddCommand(&cobra.Command{Use: word, Run: func(*cobra.Command, []string) {}})
	}
	found := words.SuggestionsFor(typed)
	if typed == "" || len(found) == 0 {
		return ""
	}
	return ": do you mean " + found[0] + "?"
}

// oneOf refuses a flag's value that is not one of the known words.
func oneOf(flag, value string, known ...string) error {
	if slices.Contains(known, value) {
		return nil
	}
	like := didYouMean(value, known...)
	if like == "" {
		like = ": it is one of " + strings.Join(known, ", ")
	}
	return usage("--%s: %q is not known%s", flag, value, like)
}

// offer has the shell complete a flag with words.
func offer(cmd *cobra.Command, flag string, known ...string) {
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(known, cobra.ShellCompDirectiveNoFileComp))
}

// group makes cmd one that has subcommands and does nothing alone but say which.
func group(cmd *cobra.Command, children ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(children...)
	cmd.Args = noCommand
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	return cmd
}

// noCommand refuses an argument where a subcommand could be.
func noCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, child := range cmd.Commands() {
		known = append(known, child.Name())
	}
	return usage("%s has no command %q%s", cmd.CommandPath(), args[0], didYouMean(args[0], known...))
}

// flagError is the error of flags that cannot be read.
func flagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var known []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
		err = fmt.Errorf("%w%s", err, didYouMean("--"+unknown.GetSpecifiedName(), known...))
	}
	return as(statusUsage, err)
}
