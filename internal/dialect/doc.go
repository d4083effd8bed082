// Package dialect puts requests into the words, places and shapes of a deployment,
// and answers back into those of the documentation, as docs/deployment-file.md says.
//
// A [Service] holds what a deployment says of one service, an [Operation] what it says
// of one of the service's calls. A nil Service is as documented.
package dialect
