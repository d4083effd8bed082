package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// learn shows which pins follow from several builds of the service's. It writes them if
// their digest is the one that a person accepts: asked again, a service could answer otherwise.
func (l *live) learn(ctx context.Context, out io.Writer, t task) error {
	samples, err := l.samples(ctx, t)
	if err != nil {
		return err
	}
	proposal, err := signing.NewGuard(l.policy).Learn(ctx, "lending", samples)
	if err != nil {
		return err
	}
	show(out, proposal)
	text, err := json.MarshalIndent(pins{"lending": proposal.TypedPins(signing.MinSamples)}, "", "  ")
	if err != nil {
		return err
	}
	digest := fmt.Sprintf("%x", sha256.Sum256(text))[:16]
	fmt.Fprintf(out, "%s\ndigest %s\n", text, digest)
	if t.accept == "" {
		fmt.Fprintln(out, "Nothing is written. If the programs are those that the service publishes: -accept", digest)
		return nil
	}
	if t.accept != digest {
		return fmt.Errorf("-accept %s: the pins are others now, and nothing is written", t.accept)
	}
	fmt.Fprintln(out, "written to", l.Pins)
	return os.WriteFile(l.Pins, text, 0o600)
}

// samples are deposits of a third, two thirds and all of the amount, and withdrawals of as
// much if that is deposited: builds that agree although the requests differ.
func (l *live) samples(ctx context.Context, t task) (all []walletfi.Unsigned, err error) {
	for i := range 2 * signing.MinSamples {
		part := t.units * walletfi.Amount(i%signing.MinSamples+1) / signing.MinSamples
		built, err := l.order(part, i >= signing.MinSamples).Build(ctx)
		if i >= signing.MinSamples && errors.Is(err, walletfi.ErrRejected) {
			return all, nil // too little is deposited: learn withdrawals later
		}
		if err != nil {
			return nil, err
		}
		all = append(all, built)
	}
	return all, nil
}

// show prints a proposal for the person who decides.
func show(out io.Writer, p *signing.Proposal) {
	fmt.Fprintln(out, p.Warning)
	for _, call := range p.Shown {
		fmt.Fprintf(out, "program %s, instruction %x: in %d of %d builds",
			signing.ProgramName(call.Program), []byte(call.Instruction), call.Samples, p.Samples)
		for _, w := range call.Writes {
			fmt.Fprintf(out, ", writes %s in %d", w.Role, w.Samples)
		}
		fmt.Fprintf(out, "; odd, so not proposed: %t\n", call.Odd)
	}
}
