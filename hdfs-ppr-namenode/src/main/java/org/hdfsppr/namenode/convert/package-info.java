/**
 * Converts files to other codes by jobs. {@code ConversionDesk} takes users' calls and checks them;
 * {@code Conversions} has all jobs, one step after the other, on a thread of its own; a {@code Job}
 * walks over its files and asks the {@code VersionEngine} for a version of each. {@code JobStore}
 * keeps a {@code JobRecord} of each job in the namespace, so that jobs go on after a restart or a
 * failover.
 */
package org.hdfsppr.namenode.convert;
