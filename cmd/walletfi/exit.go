package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// status is an exit status. The numbers are kept from version to version.
type status = int

const (
	statusFailed     status = 1
	statusUsage      status = 2
	statusRefused    status = 3
	statusMalformed  status = 4
	statusSignature  status = 5
	statusNetwork    status = 6
	statusSecret     status = 7
	statusViolations status = 8
	statusDiffers    status = 9
)

type meaning struct {
	Status status `json:"status"`
	Text   string `json:"meaning"`
}

// meanings is the table of the help and of the README.
var meanings = []meaning{
	{0, "done; for explain: the guard would sign; for verify-webhook: the signature is valid"},
	{statusFailed, "any other failure, such as output that could not be written"},
	{statusUsage, "the command line is wrong"},
	{statusRefused, "explain: the guard refuses the transaction"},
	{statusMalformed, "an input is missing, too large, or not what it should be"},
	{statusSignature, "verify-webhook: the signature does not match, or its time is outside the window"},
	{statusNetwork, "a node or a receiver did not answer, or a port is taken"},
	{statusSecret, "a secret is missing, or its file is open to others"},
	{statusViolations, "sandbox: a program sent what no correct client sends"},
	{statusDiffers, "deployment try: an answer is not as documented, or did not come; sandbox record: some differ; " +
		"trigger: the receiver did not take the delivery; doctor: something is wrong"},
}

func newExitStatus(s streams) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use: "exit-status", Short: "The exit statuses", Args: noArgs,
		Long:    "walletfi exits with one of these statuses:\n\n" + statusTable(),
		Example: "  walletfi exit-status --json",
		RunE: func(cmd *cobra.Command, _ []string) error {
			if !asJSON {
				return cmd.Help()
			}
			return s.printJSON(meanings)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func statusTable() string {
	var b strings.Builder
	for _, m := range meanings {
		fmt.Fprintf(&b, "  %d  %s\n", m.Status, m.Text)
	}
	return b.String()
}

// statusError gives an error its exit status.
type statusError struct {
	status status
	err    error
}

func (e *statusError) Error() string { return e.err.Error() }
func (e *statusError) Unwrap() error { return e.err }

// as gives err a status. One that it has already stays.
func as(s status, err error) error {
	var has *statusError
	if err == nil || errors.As(err, &has) {
		return err
	}
	return &statusError{s, err}
}

func statusOf(err error) status {
	var has *statusError
	var invalid *walletfi.ValidationError
	switch {
	case errors.As(err, &has):
		return has.status
	case errors.Is(err, signing.ErrRefused):
		return statusRefused
	case errors.As(err, &invalid):
		return statusMalformed
	}
	return statusFailed
}
