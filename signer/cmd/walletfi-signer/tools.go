package main

import (
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"filippo.io/age"
	"github.com/spf13/cobra"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signer/protocol"
	"github.com/walletfi/walletfi-go/signing"
)

func newInit() *cobra.Command {
	var logKey, key, recipient string
	c := &cobra.Command{
		Use: "init", Short: "Make the log's key, and a key for an owner", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			public, private, err := ed25519.GenerateKey(nil)
			if err != nil {
				return err
			}
			file, err := os.OpenFile(logKey, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(file, "%x\n", private.Seed())
			if err := errors.Join(err, file.Sync(), file.Close()); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "log key %x\n", []byte(public))
			if key == "" {
				return nil
			}
			to, err := age.ParseX25519Recipient(recipient)
			if err != nil {
				return err
			}
			owner, err := signer.WriteAgeKey(key, to)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "owner %s\n", owner)
			return nil
		},
	}
	c.Flags().StringVar(&logKey, "log-key", "log.key", "the file to write the log's key to")
	c.Flags().StringVar(&key, "age-key", "", "the file to write a new key of an owner to; empty makes none")
	c.Flags().StringVar(&recipient, "recipient", "", "the age recipient that the key is encrypted for")
	return c
}

func newCheckPolicy() *cobra.Command {
	return &cobra.Command{
		Use: "check-policy FILE [NEXT]", Short: "Say what a policy allows, or what the next one changes",
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, files []string) error {
			p, err := signer.LoadPolicy(files[0])
			if err != nil {
				return err
			}
			lines := p.Words()
			if len(files) == 2 {
				next, err := signer.LoadPolicy(files[1])
				if err != nil {
					return err
				}
				lines, p = p.Diff(next), next
			}
			for _, line := range append(lines, "fingerprint "+p.Fingerprint()) {
				fmt.Fprintln(c.OutOrStdout(), line)
			}
			return nil
		},
	}
}

func newJudge() *cobra.Command {
	return &cobra.Command{
		Use: "judge", Short: "Say whether a request would be signed; it is read as JSON and counts nothing",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			var r protocol.Request
			text, err := io.ReadAll(io.LimitReader(c.InOrStdin(), protocol.MaxBody))
			if err == nil {
				err = json.Unmarshal(text, &r)
			}
			if err == nil && r.Unsigned == nil {
				err = errors.New("the request has no unsigned")
			}
			if err != nil {
				return err
			}
			decision, err := on(c).Judge(c.Context(), signing.SetRequest{
				Unsigned: *r.Unsigned, First: r.First, Count: r.Count, Key: r.Key,
			})
			return show(c, decision, err)
		},
	}
}

// on is a client of the signer that the command line names.
func on(c *cobra.Command) *client.Client { return client.Connect(c.Flag("socket").Value.String()) }

func newSwitch(verb, short string) *cobra.Command {
	var reason, mode string
	c := &cobra.Command{
		Use: verb, Short: short, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if verb == "thaw" {
				return on(c).Thaw(c.Context(), reason)
			}
			live, err := on(c).Freeze(c.Context(), mode, reason)
			return show(c, live, err)
		},
	}
	c.Flags().StringVar(&reason, "reason", "", "why, for the log")
	if verb == "freeze" {
		c.Flags().StringVar(&mode, "mode", "frozen", "frozen, or exit: only what goes to the rescue addresses is signed")
	}
	return c
}

func newShow(what, short string) *cobra.Command {
	return &cobra.Command{
		Use: what, Short: short, Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if what == "log" {
				return on(c).Log(c.Context(), func(entry json.RawMessage) error {
					_, err := fmt.Fprintf(c.OutOrStdout(), "%s\n", entry)
					return err
				})
			}
			var answer json.RawMessage
			err := on(c).Get(c.Context(), "/v1/"+what, &answer)
			return show(c, answer, err)
		},
	}
}

func newAudit() *cobra.Command {
	var store, anchor, logKey string
	verify := &cobra.Command{
		Use: "verify", Short: "Check that the log and the debits are as they were written", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			key, err := hex.DecodeString(logKey)
			if err != nil || len(key) != ed25519.PublicKeySize {
				return errors.New("--log-public is the key that init printed")
			}
			entries, err := signer.Audit(c.Context(), store, anchor, key)
			if err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "entries=%d altered=0\n", entries)
			return nil
		},
	}
	verify.Flags().StringVar(&store, "store", "signer.db", "the store, which no signer has open")
	verify.Flags().StringVar(&anchor, "anchor", "signer.anchor", "the log's anchor")
	verify.Flags().StringVar(&logKey, "log-public", "", "the public key of the log, in hexadecimal")
	c := &cobra.Command{Use: "audit", Short: "Check the log"}
	c.AddCommand(verify)
	return c
}

// show prints an answer if there is no error.
func show(c *cobra.Command, answer json.RawMessage, err error) error {
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(answer, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.OutOrStdout(), "%s\n", text)
	return err
}
