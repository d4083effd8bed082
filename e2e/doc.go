// Package e2e holds the clients against the sandbox: two sides that were
// written apart from the same documentation. Its tests call every route of
// every service through a client's method.
package e2e
