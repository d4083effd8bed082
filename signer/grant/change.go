package grant

import (
	"fmt"
	"strings"

	"golang.org/x/crypto/ssh"
)

// Change is another policy in the place of one whose approvers must sign that.
type Change struct {
	// Signer is the public key of the signer's log, in hexadecimal.
	Signer string
	// Entry is the number of the log's entry by which the policy before came in force, or a restored copy
	// was opened since, so that no signature serves for a second change back and forth.
	Entry int64
	// From and To are the fingerprints of the policies, and Lines say what changes: see Policy.Diff
	// of package signer.
	From, To string
	Lines    []string
}

// Text returns the text that an approver reads and signs.
func (c *Change) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "POLICY of signer %+q: from %+q, of entry %d, to %+q.\n", c.Signer, c.From, c.Entry, c.To)
	for _, line := range c.Lines {
		fmt.Fprintln(&b, ascii(line))
	}
	fmt.Fprintf(&b, "These are %d lines. The fingerprint is of all that the new policy's file has.\n", len(c.Lines))
	return b.String()
}

// Sign signs the change's text, as Grant.Sign does a grant's.
func (c *Change) Sign(by ssh.Signer, v Verdict) (armored string, err error) {
	return sign(c.Text(), by, v)
}

// Text is a text that approvers have signed, such as a log keeps.
type Text string

// Text returns it.
func (t Text) Text() string { return string(t) }

// Verify returns which of the keys has signed the text, and what that says.
func (t Text) Verify(armored string, keys []ssh.PublicKey) (key int, v Verdict, err error) {
	return verify(string(t), armored, keys)
}

// Verify returns which of the keys has signed the change's text, and what that says.
func (c *Change) Verify(armored string, keys []ssh.PublicKey) (key int, v Verdict, err error) {
	return verify(c.Text(), armored, keys)
}
