// Package bearer holds the token of a client whose service renews it. [Tokens] is the
// pipeline's Authoriser for such a service: see internal/transport, which it does not
// know.
package bearer
