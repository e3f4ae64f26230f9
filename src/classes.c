// All built-in classes. A new component is one file and one line here.
//
// SPDX-License-Identifier: Apache-2.0
#include "settee/component.h"

// In the order of the layers; classes that cannot be created are bases.
#define CLASSES(X)                                                                                                     \
    /* the scene itself */                                                                                             \
    X(st_node_class)                                                                                                   \
    X(st_required_plugin_class)                                                                                        \
    /* states and topology */                                                                                          \
    X(st_mechanical_object_class)                                                                                      \
    X(st_mesh_topology_class)                                                                                          \
    X(st_grid_topology_class)                                                                                          \
    X(st_regular_grid_topology_class)                                                                                  \
    X(st_cube_topology_class)                                                                                          \
    X(st_sphere_quad_topology_class)                                                                                   \
    X(st_cylinder_grid_topology_class)                                                                                 \
    X(st_sphere_grid_topology_class)                                                                                   \
    X(st_point_set_topology_container_class)                                                                           \
    X(st_edge_set_topology_container_class)                                                                            \
    X(st_triangle_set_topology_container_class)                                                                        \
    X(st_quad_set_topology_container_class)                                                                            \
    X(st_tetrahedron_set_topology_container_class)                                                                     \
    X(st_hexahedron_set_topology_container_class)                                                                      \
    X(st_point_set_topology_modifier_class)                                                                            \
    X(st_edge_set_topology_modifier_class)                                                                             \
    X(st_triangle_set_topology_modifier_class)                                                                         \
    X(st_quad_set_topology_modifier_class)                                                                             \
    X(st_tetrahedron_set_topology_modifier_class)                                                                      \
    X(st_hexahedron_set_topology_modifier_class)                                                                       \
    X(st_point_set_geometry_algorithms_class)                                                                          \
    X(st_edge_set_geometry_algorithms_class)                                                                           \
    X(st_triangle_set_geometry_algorithms_class)                                                                       \
    X(st_quad_set_geometry_algorithms_class)                                                                           \
    X(st_tetrahedron_set_geometry_algorithms_class)                                                                    \
    X(st_hexahedron_set_geometry_algorithms_class)                                                                     \
    X(st_tetra2triangle_topological_mapping_class)                                                                     \
    X(st_hexa2quad_topological_mapping_class)                                                                          \
    X(st_triangle2edge_topological_mapping_class)                                                                      \
    X(st_hexa2tetra_topological_mapping_class)                                                                         \
    X(st_hexa2prism_topological_mapping_class)                                                                         \
    X(st_quad2triangle_topological_mapping_class)                                                                      \
    X(st_edge2quad_topological_mapping_class)                                                                          \
    X(st_mesh2point_topological_mapping_class)                                                                         \
    X(st_subset_topological_mapping_class)                                                                             \
    X(st_center_point_topological_mapping_class)                                                                       \
    X(st_identity_topological_mapping_class)                                                                           \
    /* masses */                                                                                                       \
    X(st_uniform_mass_class)                                                                                           \
    X(st_nodal_mass_density_class)                                                                                     \
    X(st_fem_mass_class)                                                                                               \
    X(st_diagonal_mass_class)                                                                                          \
    X(st_mesh_matrix_mass_class)                                                                                       \
    /* forces */                                                                                                       \
    X(st_gravity_class)                                                                                                \
    X(st_constant_force_field_class)                                                                                   \
    X(st_plane_force_field_class)                                                                                      \
    X(st_uniform_velocity_damping_force_field_class)                                                                   \
    X(st_conical_force_field_class)                                                                                    \
    X(st_diagonal_velocity_damping_force_field_class)                                                                  \
    X(st_edge_pressure_force_field_class)                                                                              \
    X(st_ellipsoid_force_field_class)                                                                                  \
    X(st_interaction_ellipsoid_force_field_class)                                                                      \
    X(st_linear_force_field_class)                                                                                     \
    X(st_oscillating_torsion_pressure_force_field_class)                                                               \
    X(st_quad_pressure_force_field_class)                                                                              \
    X(st_sphere_force_field_class)                                                                                     \
    X(st_surface_pressure_force_field_class)                                                                           \
    X(st_tait_surface_pressure_force_field_class)                                                                      \
    X(st_torsion_force_field_class)                                                                                    \
    X(st_triangle_pressure_force_field_class)                                                                          \
    X(st_spring_force_field_class)                                                                                     \
    X(st_mesh_spring_force_field_class)                                                                                \
    X(st_regular_grid_spring_force_field_class)                                                                        \
    X(st_triangular_biquadratic_springs_force_field_class)                                                             \
    X(st_triangular_quadratic_springs_force_field_class)                                                               \
    X(st_tetrahedral_tensor_mass_force_field_class)                                                                    \
    X(st_triangular_tensor_mass_force_field_class)                                                                     \
    X(st_tetrahedron_diffusion_fem_force_field_class)                                                                  \
    X(st_gear_spring_force_field_class)                                                                                \
    X(st_joint_spring_force_field_class)                                                                               \
    X(st_angular_spring_force_field_class)                                                                             \
    X(st_frame_spring_force_field_class)                                                                               \
    X(st_vector_spring_force_field_class)                                                                              \
    X(st_polynomial_rest_shape_springs_force_field_class)                                                              \
    X(st_polynomial_springs_force_field_class)                                                                         \
    X(st_rest_shape_springs_force_field_class)                                                                         \
    X(st_fast_triangular_bending_springs_class)                                                                        \
    X(st_quad_bending_springs_class)                                                                                   \
    X(st_quadular_bending_springs_class)                                                                               \
    X(st_repulsive_spring_force_field_class)                                                                           \
    X(st_triangle_bending_springs_class)                                                                               \
    X(st_triangular_bending_springs_class)                                                                             \
    X(st_beam_fem_force_field_class)                                                                                   \
    X(st_quad_bending_fem_force_field_class)                                                                           \
    X(st_triangle_fem_force_field_class)                                                                               \
    X(st_triangular_fem_force_field_class)                                                                             \
    X(st_triangular_fem_force_field_optim_class)                                                                       \
    X(st_triangular_anisotropic_fem_force_field_class)                                                                 \
    X(st_tetrahedron_fem_force_field_class)                                                                            \
    X(st_parallel_tetrahedron_fem_force_field_class)                                                                   \
    X(st_tetrahedral_corotational_fem_force_field_class)                                                               \
    X(st_linear_small_strain_fem_force_field_class)                                                                    \
    X(st_corotational_fem_force_field_class)                                                                           \
    X(st_fast_tetrahedral_corotational_force_field_class)                                                              \
    /* projective constraints */                                                                                       \
    X(st_fixed_projective_constraint_class)                                                                            \
    X(st_partial_fixed_projective_constraint_class)                                                                    \
    /* mappings and visual models */                                                                                   \
    X(st_identity_mapping_class)                                                                                       \
    X(st_barycentric_mapping_class)                                                                                    \
    X(st_rigid_mapping_class)                                                                                          \
    X(st_distance_mapping_class)                                                                                       \
    X(st_distance_multi_mapping_class)                                                                                 \
    X(st_distance_from_target_mapping_class)                                                                           \
    X(st_distance_to_plane_mapping_class)                                                                              \
    X(st_square_distance_mapping_class)                                                                                \
    X(st_square_mapping_class)                                                                                         \
    X(st_area_mapping_class)                                                                                           \
    X(st_volume_mapping_class)                                                                                         \
    X(st_ogl_model_class)                                                                                              \
    X(st_visual_model_class)                                                                                           \
    /* linear systems and solvers */                                                                                   \
    X(st_matrix_linear_system_class)                                                                                   \
    X(st_matrix_free_system_class)                                                                                     \
    X(st_constant_sparsity_pattern_system_class)                                                                       \
    X(st_cg_linear_solver_class)                                                                                       \
    X(st_sparse_ldl_solver_class)                                                                                      \
    X(st_amd_ordering_method_class)                                                                                    \
    X(st_colamd_ordering_method_class)                                                                                 \
    X(st_natural_ordering_method_class)                                                                                \
    /* integrators */                                                                                                  \
    X(st_euler_explicit_solver_class)                                                                                  \
    X(st_euler_implicit_solver_class)                                                                                  \
    X(st_runge_kutta2_solver_class)                                                                                    \
    X(st_runge_kutta4_solver_class)                                                                                    \
    X(st_central_difference_solver_class)                                                                              \
    X(st_newmark_implicit_solver_class)                                                                                \
    X(st_static_solver_class)                                                                                          \
    X(st_newton_raphson_solver_class)                                                                                  \
    X(st_bdf_ode_solver_class)                                                                                         \
    X(st_variational_symplectic_solver_class)                                                                          \
    X(st_damp_velocity_solver_class)                                                                                   \
    /* animation loops */                                                                                              \
    X(st_default_animation_loop_class)                                                                                 \
    X(st_multi_step_animation_loop_class)                                                                              \
    X(st_multi_tag_animation_loop_class)                                                                               \
    /* Lagrangian constraints */                                                                                       \
    X(st_bilateral_lagrangian_constraint_class)                                                                        \
    X(st_fixed_lagrangian_constraint_class)                                                                            \
    X(st_sliding_lagrangian_constraint_class)                                                                          \
    X(st_stopper_lagrangian_constraint_class)                                                                          \
    X(st_uniform_lagrangian_constraint_class)                                                                          \
    X(st_unilateral_lagrangian_constraint_class)                                                                       \
    X(st_augmented_lagrangian_constraint_class)                                                                        \
    X(st_block_gauss_seidel_constraint_solver_class)                                                                   \
    X(st_nncg_constraint_solver_class)                                                                                 \
    X(st_unbuilt_gauss_seidel_constraint_solver_class)                                                                 \
    X(st_improved_jacobi_constraint_solver_class)                                                                      \
    X(st_preconditioned_conjugate_residual_class)                                                                      \
    X(st_lcp_constraint_solver_class)                                                                                  \
    X(st_kkt_constraint_solver_class)                                                                                  \
    X(st_generic_constraint_solver_class)                                                                              \
    X(st_uncoupled_constraint_correction_class)                                                                        \
    X(st_linear_solver_constraint_correction_class)                                                                    \
    X(st_generic_constraint_correction_class)                                                                          \
    X(st_free_motion_animation_loop_class)                                                                             \
    X(st_constraint_animation_loop_class)                                                                              \
    /* meshes and files */                                                                                             \
    X(st_mesh_obj_loader_class)                                                                                        \
    X(st_sphere_loader_class)                                                                                          \
    X(st_mesh_gmsh_loader_class)                                                                                       \
    X(st_mesh_vtk_loader_class)                                                                                        \
    X(st_mesh_stl_loader_class)                                                                                        \
    X(st_mesh_off_loader_class)                                                                                        \
    X(st_off_sequence_loader_class)                                                                                    \
    X(st_mesh_xsp_loader_class)                                                                                        \
    X(st_mesh_trian_loader_class)                                                                                      \
    X(st_gid_mesh_loader_class)                                                                                        \
    X(st_string_mesh_creator_class)                                                                                    \
    X(st_grid_mesh_creator_class)                                                                                      \
    X(st_voxel_grid_loader_class)                                                                                      \
    /* engines */                                                                                                      \
    X(st_box_roi_class)                                                                                                \
    X(st_sphere_roi_class)                                                                                             \
    X(st_plane_roi_class)                                                                                              \
    X(st_mesh_roi_class)                                                                                               \
    X(st_nearest_point_roi_class)                                                                                      \
    X(st_pair_box_roi_class)                                                                                           \
    X(st_proximity_roi_class)                                                                                          \
    X(st_complementary_roi_class)                                                                                      \
    X(st_mesh_boundary_roi_class)                                                                                      \
    X(st_merge_rois_class)                                                                                             \
    X(st_select_label_roi_class)                                                                                       \
    X(st_select_connected_labels_roi_class)                                                                            \
    X(st_indices_from_values_class)                                                                                    \
    X(st_values_from_indices_class)                                                                                    \
    X(st_points_from_indices_class)                                                                                    \
    X(st_values_from_positions_class)                                                                                  \
    X(st_mesh_sampler_class)                                                                                           \
    X(st_mesh_splitting_engine_class)                                                                                  \
    X(st_mesh_subset_engine_class)                                                                                     \
    X(st_subset_topology_class)                                                                                        \
    X(st_generate_cylinder_class)                                                                                      \
    X(st_generate_grid_class)                                                                                          \
    X(st_generate_sphere_class)                                                                                        \
    X(st_generate_rigid_mass_class)                                                                                    \
    X(st_merge_meshes_class)                                                                                           \
    X(st_merge_points_class)                                                                                           \
    X(st_merge_sets_class)                                                                                             \
    X(st_merge_vectors_class)                                                                                          \
    X(st_extrude_quads_and_generate_hexas_class)                                                                       \
    X(st_extrude_edges_and_generate_quads_class)                                                                       \
    X(st_extrude_surface_class)                                                                                        \
    X(st_join_points_class)                                                                                            \
    X(st_mesh_barycentric_mapper_engine_class)                                                                         \
    X(st_mesh_closing_engine_class)                                                                                    \
    X(st_mesh_tetra_stuffing_class)                                                                                    \
    X(st_normals_from_points_class)                                                                                    \
    X(st_norm_engine_class)                                                                                            \
    X(st_random_point_distribution_in_surface_class)                                                                   \
    X(st_volume_from_triangles_class)                                                                                  \
    X(st_volume_from_volumetric_elements_class)                                                                        \
    X(st_transform_engine_class)                                                                                       \
    X(st_transform_position_class)                                                                                     \
    X(st_invert_transform_matrix_engine_class)                                                                         \
    X(st_translate_transform_matrix_engine_class)                                                                      \
    X(st_rotate_transform_matrix_engine_class)                                                                         \
    X(st_scale_transform_matrix_engine_class)                                                                          \
    X(st_displacement_transform_engine_class)                                                                          \
    X(st_displacement_matrix_engine_class)                                                                             \
    X(st_difference_engine_class)                                                                                      \
    X(st_dilate_engine_class)                                                                                          \
    X(st_index_value_mapper_class)                                                                                     \
    X(st_indices_to_values_mapper_class)                                                                               \
    X(st_map_indices_class)                                                                                            \
    X(st_math_op_class)                                                                                                \
    X(st_projective_transform_engine_class)                                                                            \
    X(st_quat_to_rigid_engine_class)                                                                                   \
    X(st_rigid_to_quat_engine_class)                                                                                   \
    X(st_roi_value_mapper_class)                                                                                       \
    X(st_smooth_mesh_engine_class)                                                                                     \
    X(st_vertex_to_frame_class)                                                                                        \
    X(st_average_coord_class)                                                                                          \
    X(st_clustering_engine_class)                                                                                      \
    X(st_hausdorff_distance_class)                                                                                     \
    X(st_shape_matching_class)                                                                                         \
    X(st_sum_engine_class)

#define DECLARE(name) extern const st_class name;
#define LIST(name) &name,
CLASSES(DECLARE)

extern const st_class *const st_builtin_classes[];
const st_class *const st_builtin_classes[] = {CLASSES(LIST) NULL};
